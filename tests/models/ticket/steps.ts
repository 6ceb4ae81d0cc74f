import { arrive, causes, dismiss, givesUp, me } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { refusalText } from '../lib/drivers/network.ts'
import { same } from '../lib/merchants.ts'
import { saysError } from '../lib/steps.ts'
import type { UserModel } from '../lib/userModel.ts'
import { ticketModel } from './model.ts'

const elsewhere = { path: '/import/merchants', title: 'Import Merchants' }
const create = 'POST /api/v1/ticket'
const desk = 'GET /api/v1/ticket/desk'
const labels = {
  type: 'Ticket Type',
  subject: 'Agent Office-Merchant-Issue',
  description: 'Description',
  email: 'Email',
}
const subject = 'North Office - Bakery - silent'

const stored = async ({ db }: Driver['portal']) =>
  db.query<{ id: number; subject: string; email: string; tickettypeid: number; files: number }>(
    'select id, subject, email, tickettypeid, (select count(*) from ticket_attachment a where a.ticketid = t.id) as files from ticket t order by id',
  )
const last = async (it: Driver) => (await stored(it.portal)).at(-1)!.id

const opens =
  (prepare: Step = async () => {}): Step =>
  async (it) => {
    Object.assign(it.portal.config.helpdeskForm, { url: null })
    await prepare(it)
    await it.press('Support Tickets', { role: 'link' })
  }
const attach =
  (...names: [string, number][]): Step =>
  (it) =>
    it.choose(
      'Attach files',
      ...names.map(([name, size]) => ({ name, content: Buffer.alloc(size, name[0]) })),
    )

/** Submits, waits for the answer, and looks what was filed. */
const submits =
  (prepare: Step = async () => {}): Step =>
  async (it) => {
    const [calls, before] = [it.network.calls(create).length, (await stored(it.portal)).length]
    const attached = await it.count('button', /^Remove /)
    await prepare(it)
    await it.press('Submit')
    await it.eventually(() =>
      ok((it.network.calls(create).at(calls)?.status ?? null) !== null, 'the ticket was not answered'),
    )
    const isFiled = it.network.calls(create).at(-1)!.status === 201
    const tickets = (await stored(it.portal)).slice(before)
    const expected = { subject, email: 'staff@example.com', tickettypeid: 9, files: attached }
    same(
      tickets.map(({ id: _id, ...rest }) => rest),
      isFiled ? [expected] : [],
      'tickets filed',
    )
  }
/** Whether it is the portal's form, with all it needs. */
const isReady = async (it: Driver) =>
  it.portal.config.helpdeskForm.url === null && (await it.value(labels.subject)) === subject

/** A form with files holds what is not sent: the portal asks before that is lost. */
const leaves: Step = async (it) => {
  const isAsked = (await it.count('button', /^Remove /)) > 0
  await it.press('Imports')
  await it.press(elsewhere.title, { role: 'menuitem' })
  if (isAsked) await it.press('Discard')
  await it.portal.db.query('delete from ticket')
}

const steps: Record<string, Step> = {
  'opens Support Tickets': opens(),
  'opens Support Tickets without a validated email': opens(async (it) => {
    await it.portal.db.query(`update portal_user set email = null where username = 'staff'`)
    await arrive(it, me, elsewhere.path)
  }),
  'opens Support Tickets, and tickets go to a desk elsewhere': opens(async (it) => {
    Object.assign(it.portal.config.helpdeskForm, { url: '/healthz', fields: { orgId: '7' } })
  }),
  'opens Support Tickets, and the form fails': opens(async (it) => it.network.fault(desk, 500)),
  leaves,
  'tries the form again': (it) => it.press('Try again'),
  submits: async (it) => ((await isReady(it)) ? submits()(it) : it.press('Submit')),
  'submits, and it takes long': async (it) => {
    it.network.hold(create)
    await it.press('Submit')
    await it.eventually(() => ok(it.network.calls(create).at(-1)?.status === null, 'nothing is being sent'))
  },
  'submits, and the server fails': submits(async (it) => it.network.fault(create, 500)),
  'the answer comes': async (it) => {
    it.network.release(create)
    await it.eventually(async () => same((await stored(it.portal)).length, 1, 'tickets'))
  },
  'presses Cancel': async (it) => {
    await givesUp(it, create, () => it.press('Cancel'))
    await it.eventually(() =>
      same(it.network.calls(create).at(-1)?.status, 0, 'the answer of a cancelled ticket'),
    )
    same(await stored(it.portal), [], 'tickets')
  },
  'fills it in': async (it) => {
    await it.pick(labels.type, 'Other')
    await it.fill(labels.subject, subject)
    await it.fill(labels.description, 'It does not ring.')
  },
  'types too much': (it) => it.fill(labels.subject, 'x'.repeat(256)),
  'attaches two files': attach(['a.txt', 3], ['b.txt', 5]),
  'attaches four more': attach(['c.txt', 1], ['d.txt', 1], ['e.txt', 1], ['f.txt', 1]),
  'attaches one that is too large': attach(['large.bin', 20 * 1024 * 1024 + 1]),
  'removes the first': (it) => it.press('Remove a.txt'),
  'dismisses the message': dismiss,
  'begins another': (it) => it.press('New ticket'),
  'opens the ticket': async (it) => it.press(String(await last(it)), { role: 'link' }),
  'closes the ticket': (it) => it.press('Cancel', { dialog: /^Ticket \d+$/ }),
  'downloads the second': async (it) => {
    const before = (await it.saved()).length
    await it.press('Download b.txt')
    await it.eventually(async () =>
      same((await it.saved()).slice(before), [{ name: 'b.txt', content: 'bbbbb' }], 'saved files'),
    )
  },
}

type Look = {
  filled?: true
  long?: true
  faults?: true
  files?: readonly string[]
  refused?: string
  failed?: true
  sending?: true
}
/** Everything that can be distinguished on the form. */
const form =
  ({ filled, long, faults, files: attached = [], refused, failed, sending }: Look = {}): Step =>
  async (it) => {
    same(await it.count('dialog'), 0, 'dialogs')
    same(await it.count('heading', 'Support Ticket'), 1, 'the form')
    same(await it.value(labels.subject), long ? 'x'.repeat(256) : filled ? subject : '', 'subject')
    same(await it.value(labels.email), 'staff@example.com', 'email')
    const marked = (await it.state('textbox', labels.subject)).description
    same(
      marked,
      faults
        ? 'Agent Office-Merchant-Issue is required'
        : long
          ? 'Agent Office-Merchant-Issue may have at most 255 characters'
          : '',
      'said of the subject',
    )
    same(await it.shows('Ticket Type is required'), faults === true, 'said of the type')
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt', 'large.bin'])
      same(await it.count('button', `Remove ${name}`), attached.includes(name) ? 1 : 0, `attached: ${name}`)
    const says = {
      left: 'f.txt was left out: at most 5 attachments can be sent',
      large: 'large.bin is larger than 20 MB',
    }
    for (const text of Object.values(says)) same(await it.shows(text), text === refused, text)
    same(await it.shows('The ticket was not sent.'), failed === true, 'that it was not sent')
    same(
      [
        await it.count('progressbar', 'Sent'),
        await it.count('button', 'Cancel'),
        await it.count('button', 'Submit'),
      ],
      sending ? [1, 1, 0] : [0, 0, 1],
      'progress',
    )
  }
const done =
  (count: number): Step =>
  async (it) => {
    same(await it.count('dialog'), 0, 'dialogs')
    ok(await it.shows(`Ticket ${await last(it)} was sent`), 'that it was sent')
    same(await it.count('heading', 'Support Ticket'), 0, 'forms')
    const [row = ''] = (await it.texts('row')).slice(1)
    ok(
      row.includes(subject) && row.includes('Open') && row.includes('staff') && row.endsWith(String(count)),
      `the first row is '${row}'`,
    )
  }
const opened =
  (names: readonly string[]): Step =>
  async (it) => {
    same(await it.count('dialog', `Ticket ${await last(it)}`), 1, 'the ticket')
    for (const text of ['It does not ring.', 'staff@example.com'])
      ok(await it.shows(text), `'${text}' is missing`)
    for (const name of ['a.txt', 'b.txt'])
      same(await it.count('button', `Download ${name}`), names.includes(name) ? 1 : 0, name)
  }
const two = ['a.txt', 'b.txt']

export const ticket: UserModel = {
  machine: ticketModel,
  stimuli: ticketModel.events as string[],
  steps,
  observe: {
    elsewhere: async (it) => ok(await it.count('heading', elsewhere.title), 'this is another screen'),
    prompt: async (it) => {
      ok(await it.count('heading', 'Support Tickets'), 'this is another screen')
      ok(await it.shows('A code is sent to your address.'), 'no prompt')
      same(await it.count('heading', 'Support Ticket'), 0, 'forms')
    },
    'message over failed form': async (it) =>
      ok(await it.shows('The form could not be loaded'), 'nothing says that it failed'),
    'empty form': form(),
    faults: form({ faults: true }),
    'filled form': form({ filled: true }),
    'too long': form({ long: true }),
    'two files': form({ filled: true, files: two }),
    'two files, one too large': form({ filled: true, files: two, refused: 'large.bin is larger than 20 MB' }),
    'five files, one left out': form({
      filled: true,
      files: [...two, 'c.txt', 'd.txt', 'e.txt'],
      refused: 'f.txt was left out: at most 5 attachments can be sent',
    }),
    'four files': form({ filled: true, files: ['b.txt', 'c.txt', 'd.txt', 'e.txt'] }),
    'one file': form({ filled: true, files: ['b.txt'] }),
    sending: form({ filled: true, sending: true }),
    'message over failed ticket': saysError(refusalText(500)),
    'failed form': form({ filled: true, failed: true }),
    'failed form, two files': form({ filled: true, failed: true, files: two }),
    'failed form, one file': form({ filled: true, failed: true, files: ['b.txt'] }),
    sent: done(0),
    'sent with two files': done(2),
    'form for another': form(),
    ticket: opened([]),
    'ticket with two files': opened(two),
    'empty form of the desk': form(),
    'faults of the desk': form({ faults: true }),
    'filled form of the desk': form({ filled: true }),
    'handed over': async (it) => {
      ok(await it.shows('The ticket was handed to the help desk in a new tab'), 'that it was handed over')
      same(await stored(it.portal), [], 'tickets')
    },
  },
  async begin(it) {
    await it.portal.db.query('delete from ticket')
    await it.portal.db.query(`update portal_user set email = 'staff@example.com' where username = 'staff'`)
    await causes(it.portal).acceptTerms(me)
    await arrive(it, me, elsewhere.path)
  },
}
