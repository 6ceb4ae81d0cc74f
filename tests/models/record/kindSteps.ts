import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { remember, same, secondClient } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { kindModel, kindStimuli, termsModel } from './kindModel.ts'
import type { Kind } from './kinds.ts'

const staleQuestion = 'Somebody else changed this record meanwhile'

const answer =
  (question: string, name: string): Step =>
  (it) =>
    it.press(name, { dialog: question })
const stays = async (it: Driver, title: string) => {
  same(await it.count('dialog', title), 1, title)
  same(await it.count('dialog', errorTitle), 0, errorTitle)
  ok(!(await it.count('alertdialog')), 'a question is open')
}
const asks =
  (question: string, answers: readonly string[]): Step =>
  async (it) => {
    same(await it.count('alertdialog', question), 1, question)
    for (const name of answers) same(await it.count('button', name, { dialog: question }), 1, name)
  }
const alone: Step = async (it) => {
  ok(!(await it.count('dialog')) && !(await it.count('alertdialog')), 'a dialog is open')
  ok(!it.url().includes('open='), 'the address still opens it')
  same(await it.count('button', 'Create'), 1, 'Create')
}
const opens =
  (prepare: Step, path: string): Step =>
  async (it) => {
    await prepare(it)
    await remember(it, 'admin')
    await it.go(path)
  }
/** What all kinds have in common, seen and done. */
const common = (title: string, first: string, required: readonly string[]) => ({
  steps: {
    'presses Create': (it: Driver) => it.press('Create'),
  },
  observe: {
    'nobody is there': async (it: Driver) => same(it.network.log.length, 0, 'calls'),
    'empty form': async (it: Driver) => {
      await stays(it, title)
      same(await it.value(first), '', first)
      for (const sentence of required) ok(!(await it.shows(sentence)), `${sentence}, though nothing happened`)
      same(await it.count('button', 'Delete'), 0, 'Delete')
    },
    'empty form, marked': async (it: Driver) => {
      await stays(it, title)
      for (const sentence of required) ok(await it.shows(sentence), `${sentence} is not said`)
    },
  },
})

/** The model of one kind of record, on its own screen. */
export function recordOf(kind: Kind): UserModel {
  const { title, table } = kind
  const form = { dialog: title }
  const question = `Are you sure you want to delete this ${kind.noun}?`
  const rows = async ({ portal }: Driver, where: string) =>
    (await portal.db.query(`select version from ${table} where ${where}`)) as { version: number }[]
  const holds =
    (where: string, wanted: number): Step =>
    async (it) =>
      same((await rows(it, where)).length, wanted, `records with ${where}`)
  const mine = 'id = 900'
  const prepare: Step = async (it) => void (await kind.prepare(it.portal))
  const saves: Step = (it) => it.press('Save', form)
  const listed =
    (mineToo: number, ...wheres: [string, number][]): Step =>
    async (it) => {
      await alone(it)
      same(await it.count('link', kind.link), mineToo, `rows of ${kind.link}`)
      for (const [where, wanted] of wheres) await holds(where, wanted)(it)
    }
  const shared = common(title, kind.first, kind.required)
  const untouched: [string, number] = [`${mine} and version = 1`, 1]
  const shows = async (it: Driver, { label, value }: { label: string; value: string }) =>
    ok((await it.value(label)).startsWith(value), `${label} is not ${value}`)
  const isNew =
    (fault: string): Step =>
    async (it) => {
      await stays(it, title)
      same(await it.count('button', 'Delete'), 0, 'Delete')
      await shows(it, kind.typed)
      const { role, name } = kind.marked
      const { invalid, description } = await it.state(role, name, form)
      same(invalid ? description : '', fault, `what is marked at ${name}`)
      await holds(kind.created, 0)(it)
    }
  const isStored: Step = async (it) => {
    await stays(it, title)
    same(await it.count('button', 'Delete', form), 1, 'Delete')
    await holds(`${mine} and ${kind.changed}`, 0)(it)
  }
  const steps: Record<string, Step> = {
    ...shared.steps,
    'opens the list': opens(prepare, kind.path),
    'begins anew': opens(prepare, kind.path),
    'fills it in': kind.fill,
    'presses Save': saves,
    'presses Save, but it is taken': async (it) => {
      await kind.take(it.portal)
      await saves(it)
      await it.eventually(async () => same(await it.count('dialog', errorTitle), 1, errorTitle))
      await kind.undo(it.portal)
    },
    'presses Save, but somebody was faster': async (it) => {
      const other = await secondClient(it.portal)
      const path = `/api/v1/${kind.name}/900`
      const { version } = (await other.call('GET', path)).body
      const { status } = await other.call('PUT', path, { version, ...kind.elsewhere.body })
      ok(status === 200, `the second client could not change it: ${status}`)
      await saves(it)
    },
    'follows the row': (it) => it.press(kind.link, { role: 'link' }),
    'changes it': kind.change,
    'reloads the record': answer(staleQuestion, 'Reload'),
    overwrites: answer(staleQuestion, 'Overwrite'),
    'presses Delete': (it) => it.press('Delete', form),
    confirms: answer(question, 'Delete'),
    'confirms, but it is still referenced': async (it) => {
      await kind.refer!(it.portal)
      await answer(question, 'Delete')(it)
    },
    'dismisses the message': answer(errorTitle, 'Dismiss'),
  }
  const observe: Record<string, Step> = {
    ...shared.observe,
    list: listed(1, untouched),
    'list, changed': listed(1, [`${mine} and ${kind.changed}`, 1]),
    'list, one more': listed(1, untouched, [kind.created, 1]),
    'list, one less': listed(0, [mine, 0]),
    'new record': isNew(''),
    'new record, marked': isNew(kind.taken),
    'message that it is taken': async (it) => {
      same(await it.count('dialog', errorTitle), 1, errorTitle)
      ok(await it.shows(kind.taken), `'${kind.taken}' is not said`)
    },
    form: isStored,
    'form, changed elsewhere': async (it) => {
      await isStored(it)
      await shows(it, kind.elsewhere)
    },
    'changed form': async (it) => {
      await isStored(it)
      await shows(it, kind.edited)
    },
    'stale?': asks(staleQuestion, ['Reload', 'Overwrite', 'Keep editing']),
    'delete?': asks(question, ['Delete', 'Cancel']),
    'message that it is referenced': async (it) =>
      ok(await it.shows(kind.referenced!), `'${kind.referenced}' is not said`),
  }
  const machine = kindModel({ isReferenced: kind.refer !== undefined })
  return { ...only(machine, steps, observe), machine, begin: prepare }
}

const text = 'Be kind to one another.'
const termsTitle = 'Terms and Conditions'
const prepareTerms: Step = async ({ portal: { db } }) => {
  await db.query('delete from terms_acceptance where termsid > 1')
  await db.query('delete from terms where id > 1')
}
/** The model of the terms. */
export function termsRecord(): UserModel {
  const form = { dialog: termsTitle }
  const shared = common(termsTitle, 'Text', ['Text is required'])
  const steps: Record<string, Step> = {
    ...shared.steps,
    'opens the list': opens(prepareTerms, '/terms'),
    'begins anew': opens(prepareTerms, '/terms'),
    'fills it in': (it) => it.fill('Text', text, form),
    'presses Save': (it) => it.press('Save', form),
    'presses Close': (it) => it.press('Close', { ...form, last: true }),
    'follows the row': (it) => it.press('1', { role: 'link' }),
  }
  const observe: Record<string, Step> = {
    ...shared.observe,
    list: async (it) => {
      await alone(it)
      same(await it.count('link', '1'), 1, 'the first version')
    },
    'new record': async (it) => {
      await stays(it, termsTitle)
      same(await it.value('Text'), text, 'the text')
    },
    'terms to accept': async (it) => {
      same(
        (await it.portal.db.query('select 1 from terms where tctext = $1', [text])).length,
        1,
        'new versions',
      )
      same(await it.count('dialog', "We've Updated our Terms and Conditions"), 1, 'terms dialog')
    },
    'read-only form': async (it) => {
      await stays(it, termsTitle)
      ok((await it.value('Text')).startsWith('Technology Portal'), 'the text is not there')
      for (const name of ['Save', 'Delete', 'Cancel']) same(await it.count('button', name), 0, name)
    },
  }
  return { ...only(termsModel, steps, observe), machine: termsModel, begin: prepareTerms }
}

/** What of all this the machine speaks of. */
function only(
  { states }: UserModel['machine'],
  steps: Record<string, Step>,
  observe: Record<string, Step>,
): Pick<UserModel, 'stimuli' | 'steps' | 'observe'> {
  const stimuli = kindStimuli.filter((name) =>
    Object.values(states).some((state) => state.ownEvents.includes(name)),
  )
  const pick = (from: Record<string, Step>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
  return { stimuli, steps: pick(steps, stimuli), observe: pick(observe, Object.keys(states)) }
}
