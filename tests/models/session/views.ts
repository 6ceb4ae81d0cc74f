import { errorTitle, isAlive, latestTerms, me, somebodyElse, stored } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'

const termsTitle = "We've Updated our Terms and Conditions"

/** No password is ever kept, whatever happens. */
const noSecret = async (it: Driver) => {
  const kept = JSON.stringify(await it.storage())
  for (const { username, password } of Object.values(it.portal.people))
    ok(!kept.includes(password), `the browser keeps the password of ${username}`)
}
const dialogs = async (it: Driver, ...titles: string[]) => {
  const open = await it.count('dialog')
  ok(open === titles.length, `${open} dialogs are open`)
  for (const title of titles) ok(await it.count('dialog', title), `the dialog '${title}' is not open`)
}
const outside = async (it: Driver) => {
  await noSecret(it)
  ok(it.url().startsWith('/login'), `the address is ${it.url()}`)
  ok((await it.count('button', /^Welcome/)) === 0, 'still in the portal')
}
/** The login page with its form. Nobody is kept by the browser. */
const form: Step = async (it) => {
  await outside(it)
  await dialogs(it)
  ok(await it.count('button', 'Login'), 'there is no form')
  ok((await stored(it)) === null, 'the browser still keeps a user')
}
const empty: Step = async (it) => {
  await form(it)
  const said = await it.text('alert')
  ok(said === '', `the form says '${said}'`)
  ok((await it.value('Username')) === '' && (await it.value('Password')) === '', 'the form is not empty')
}
const termsPage =
  (...open: string[]): Step =>
  async (it) => {
    await outside(it)
    await dialogs(it, ...open)
    ok(await it.count('button', 'Accept'), 'there is no Accept')
    ok((await it.count('button', 'Login')) === 0, 'the form is still there')
    ok(
      (await it.value('Terms and Conditions')) === (await latestTerms(it.portal)),
      'the text is not that of the latest terms',
    )
  }
/** The screen is whole: what was refused while the terms were open has been asked for again. */
const screen: Step = async (it) => {
  if (it.url().startsWith('/manage/merchants')) {
    const { busy } = await it.state('region', 'Merchants')
    ok(!busy, 'the merchants are still being loaded')
    ok(
      (await it.count('rowheader')) > 0 || (await it.count('button', 'Try again')) > 0,
      'there are no merchants',
    )
  } else if (it.url().startsWith('/month'))
    ok(await it.count('heading', 'Month'), 'this is not the screen Month')
  else ok(await it.count('heading', 'Welcome to the Technology Portal.'), 'this is not the home page')
}
/**
 * The portal, for the one the browser keeps; the token in use is the one it keeps, and the server honours it.
 */
const portal =
  (who: string, ...open: string[]): Step =>
  async (it) => {
    await noSecret(it)
    await dialogs(it, ...open)
    ok(await it.count('button', `Welcome, ${who}`), 'not in the portal')
    ok((await it.count('button', 'Login')) === 0, 'the form is still there')
    ok(!it.url().startsWith('/login'), `the address is ${it.url()}`)
    const user = await stored(it)
    ok(user?.username === who, `the browser keeps ${user?.username}`)
    ok(await isAlive(it.portal, user.access_token), 'the browser keeps a token that has ended')
  }
const termsDialog =
  (...above: string[]): Step =>
  async (it) => {
    await portal(me, termsTitle, ...above)(it)
    ok(
      (await it.text('region', 'Terms and Conditions')) === (await latestTerms(it.portal)),
      'the text is not that of the latest terms',
    )
  }

export const observe: Record<string, Step> = {
  'login form': empty,
  'login form after the session ended': async (it) => {
    await form(it)
    const said = await it.text('alert')
    ok(said === 'Your session has ended. Sign in again to go on where you were.', `the form says '${said}'`)
  },
  'login rejected': async (it) => {
    await form(it)
    ok((await it.text('alert')) === 'Invalid Username or Password', 'the rejection is not said')
  },
  'login explained': async (it) => {
    await form(it)
    ok((await it.text('alert')) !== '', 'nothing is said')
  },
  'terms page': async (it) => {
    await termsPage()(it)
    ok((await stored(it)) === null || (await stored(it))?.username === me, 'somebody else is kept')
  },
  'error over the terms page': termsPage(errorTitle),
  portal: async (it) => {
    await portal(me)(it)
    await screen(it)
  },
  'error dialog': portal(me, errorTitle),
  'terms dialog': termsDialog(),
  'error over the terms dialog': termsDialog(errorTitle),
  'login form beside': empty,
  'portal beside': portal(me),
  'terms dialog beside': termsDialog(),
  "somebody else's portal": portal(somebodyElse),
}
