import { lockMonth } from '../../../server/money/lock.ts'
import { returnFileOf } from '../../server/payouts/files/returnFiles.ts'
import type { TestPortal } from '../../testPortal.ts'
import { dismiss, errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { remember, same, secondClient } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { monthModel, monthStimuli, type MonthStimulus } from './model.ts'

const path = '/payouts'
const routes = {
  list: 'GET /api/v1/month',
  payout: 'GET /api/v1/month/2026-02/payout',
  approve: 'POST /api/v1/month/2026-02/approve',
  file: 'POST /api/v1/ledger/returnfile',
  statement: 'POST /api/v1/processorstatement',
}
/** Dollars that each agent is due for February; the last one is held from the beginning. */
const due = { 10: 50, 11: 60, 12: 30 }
const held = 12

const ledgerTables = [
  'payout_approval',
  'payout_release',
  'payout_payment',
  'payout_allocation',
  'payout_return',
  'payout_hold',
  'payout_hold_end',
  'month_takeover',
  'month_waiver',
  'processor_statement',
]
const lockTables = [
  'merchant',
  'pay_part',
  'statement',
  'statement_line',
  'agent',
  'terminal',
  'subscription',
  'adjusted_merchant',
  'portfolio',
  'finding',
  'portfolio_total',
  'carry',
].map((name) => `locked_${name}`)

/** Three adjustments of February, which staff has locked, one of March, and one row of a file of March. */
async function putMonths({ db }: TestPortal) {
  await db.transaction(async (tx) => {
    // The tables only grow: only a replica may empty them.
    await tx.query('set local session_replication_role = replica')
    await tx.query(`truncate ${[...ledgerTables, 'month_lock', 'missing_income', ...lockTables].join(', ')}`)
    await tx.query('delete from residual')
    await tx.query('delete from adjustment')
    await tx.query('delete from collection_subscription')
    await tx.query('update equipment set paidmonth = null')
    // Who wrote a rate approves no pay of the first month that is locked (payouts 12).
    await tx.query(`update agent_rate set username = 'staff'`)
    // No processor is expected to send a file.
    await tx.query(`update merchant set processor = ''`)
  })
  for (const [agent, amount] of [...Object.entries(due), ['10', 5] as const])
    await db.query(
      `insert into adjustment (masteragentid, month, amount, reason, author) values ($1, $2, $3, 'Earned', 'staff')`,
      [agent, amount === 5 ? '2026-03-01' : '2026-02-01', amount],
    )
  await hold(db, held)
  await setPayOnInactive(db, false)
  await lockFebruary(db)
  await setPayOnInactive(db, true)
  await db.query(
    `insert into residual (month, processor, xmid, income, net, batchid)
      select '2026-03-01', 'Aurora', 'X-900', 7, 7, min(id) from import_batch`,
  )
}
const lockFebruary = (db: TestPortal['db']) =>
  lockMonth(db, {
    month: '2026-02-01',
    username: 'staff',
    address: '127.0.0.1',
    waive: 'Looked at one by one',
  })
/** The payments are those of version 1; the month is open. */
async function payAndReopen(portal: TestPortal) {
  const client = await secondClient(portal)
  const step = async (name: string, body: object) => {
    const { status } = await client.call('POST', `/api/v1/month/2026-02/${name}`, body)
    same(status, 200, name)
  }
  const { hash } = (await client.call('GET', '/api/v1/month/2026-02/payout')).body
  await step('approve', { hash })
  await step('release', { hash, how: 'other', date: '2026-03-10' })
  await step('reopen', { reason })
}
const changed = 11
const setPayOnInactive = (db: TestPortal['db'], value: boolean) =>
  db.query('update master_agent set payoninactive = $2 where id = $1', [changed, value])
const hold = (db: TestPortal['db'], agent: number) =>
  db.query(
    `insert into payout_hold (masteragentid, month, isstatement, reason, username, address)
      values ($1, '2026-02-01', false, 'No contract', 'staff', '')`,
    [agent],
  )

const opens =
  (name: string, prepare: (it: Driver) => void = () => {}): Step =>
  async (it) => {
    await remember(it, name)
    prepare(it)
    await it.go(path)
  }
const press =
  (name: string | RegExp): Step =>
  (it) =>
    it.press(name)
const confirm: Step = (it) => it.press('Approve', { dialog: /^Approve the payouts/ })
const fileTitle = 'Return file returns.ach'
const releaseTitle = 'Release the payouts of February 2026'
const release =
  (day: string | null): Step =>
  async (it) => {
    if (day !== null || (await it.value('Effective')) !== '') await it.fill('Effective', day ?? '')
    await it.press('Release', { dialog: releaseTitle })
  }
const reason = 'Called the payee'

const differenceSteps = {
  'chooses the kind': (it) => it.pick('Differs', 'Pay on inactive merchants (1)'),
  'presses Take Over': press(/^Take over Pay on inactive merchants, MA0011/),
  'presses Count the Copy': press(/^Count the copy again of Pay on inactive merchants, MA0011/),
  'takes over': (it) => it.press('Take Over', { dialog: /^Take over/ }),
  'counts the copy': (it) => it.press('Count the Copy', { dialog: /^Count the copy/ }),
} satisfies Partial<Record<MonthStimulus, Step>>

const waiveTitle = 'Waive a finding'
const lockTitle = 'Lock March 2026'
const typeTotal: Step = async (it) => {
  await it.fill('Stated Net of Aurora', '7.00')
  await it.press('Save Totals')
}
/** What is done on Month. */
const workSteps = {
  'opens Month': async (it) => {
    await remember(it, 'admin')
    await it.go('/month/2026-03')
  },
  'types a total': typeTotal,
  'types a total, and the server fails': async (it) => {
    it.network.fault(routes.statement, 500)
    await typeTotal(it)
  },
  'presses Waive': press(/^Waive Aurora X-900/),
  waives: async (it) => {
    await it.fill('Reason', reason)
    await it.press('Waive', { dialog: waiveTitle })
  },
  'presses Lock': press(lockTitle),
  locks: async (it) => {
    await it.fill('Reason', reason)
    await it.press('Lock', { dialog: lockTitle })
  },
} satisfies Partial<Record<MonthStimulus, Step>>

const steps: Record<MonthStimulus, Step> = {
  ...workSteps,
  'chooses a return file': (it) => chooseFile(it, 0),
  'chooses a return file with a fault': (it) => chooseFile(it, 1),
  'chooses a return file, and the server fails': async (it) => {
    it.network.fault(routes.file, 500)
    await chooseFile(it, 0)
  },
  'books all': (it) => it.press('Book All', { dialog: fileTitle }),
  'closes it': async (it) =>
    it.press((await it.count('button', 'Cancel')) > 0 ? 'Cancel' : /^Close$/, {
      dialog: fileTitle,
      last: true,
    }),
  'opens Payouts': opens('admin'),
  'opens Payouts, and it takes long': opens('admin', ({ network }) => network.hold(routes.payout)),
  'opens Payouts, and the server fails': opens('admin', ({ network }) => network.fault(routes.payout, 500)),
  'an agent opens Payouts': opens('agent'),
  'opens Payouts of a month that was paid, opened and locked again': async (it) => {
    await payAndReopen(it.portal)
    // The run is that of version 2 and pays nobody.
    await lockFebruary(it.portal.db)
    await opens('admin')(it)
  },
  'opens Payouts of a month that was paid and opened again': async (it) => {
    await payAndReopen(it.portal)
    await remember(it, 'admin')
    await it.go(`${path}?month=2026-02`)
  },
  'the answer comes': async (it) =>
    [routes.payout, routes.approve].forEach((route) => it.network.release(route)),
  'dismisses the message': dismiss,
  'tries again': press('Try again'),
  'chooses March': (it) => it.pick('Month', 'March 2026 (Open)'),
  'chooses February': async (it) => {
    const { body } = await (await secondClient(it.portal)).call('GET', '/api/v1/month')
    const [february] = (body.data as { month: string; state: string }[]).filter(
      ({ month }) => month === '2026-02',
    )
    const state = february!.state
    await it.pick('Month', `February 2026 (${state[0]!.toUpperCase()}${state.slice(1)})`)
  },
  'presses Approve': press('Approve'),
  'presses Release': press('Release'),
  'presses Hold': press(/^Hold MA0010/),
  'presses End Hold': press(/^End the hold of MA0012/),
  'presses Book Return': press('Book Return'),
  'presses Open Again': press('Open Again'),
  cancels: async (it) =>
    (await it.count('alertdialog')) > 0
      ? it.press('Cancel', { dialog: /^(Approve the payouts|Take over|Count the copy)/ })
      : it.press('Cancel'),
  confirms: confirm,
  'confirms, and it takes long': async (it) => {
    it.network.hold(routes.approve)
    await confirm(it)
    await it.eventually(() => same(it.network.calls(routes.approve).length, 1, routes.approve))
  },
  'confirms, and the server fails': async (it) => {
    it.network.fault(routes.approve, 500)
    await confirm(it)
  },
  'confirms, but the run has changed': async (it) => {
    await hold(it.portal.db, 10)
    await confirm(it)
  },
  releases: release(null),
  'releases on a Sunday': release('2026-03-08'),
  'releases for a day long past': release('2026-03-10'),
  'gives no reason': (it) => it.press('Hold', { dialog: /^Hold MA0010/ }),
  'gives a reason': async (it) => {
    await it.fill('Reason', reason)
    const opening = (await it.count('dialog', /^Open February/)) > 0
    const ending = (await it.count('dialog', /^End the hold/)) > 0
    await it.press(opening ? 'Open Again' : ending ? 'End Hold' : 'Hold', {
      dialog: opening ? /^Open February/ : ending ? /^End the hold/ : /^Hold MA0010/,
    })
  },
  ...differenceSteps,
  'books it': async (it) => {
    const [payment] = await it.portal.db.query<{ trace: string }>(
      'select trace from payout_payment where payeeid = 10',
    )
    await it.fill('Trace Number', payment!.trace)
    await it.fill('Return Code', 'R03')
    await it.fill('Date', '2026-03-12')
    await it.press('Book Return', { dialog: /^Book a return/ })
  },
}

const chooseFile = async (it: Driver, off: number) => {
  const [payment] = await it.portal.db.query<{ trace: string }>(
    'select trace from payout_payment where payeeid = 10',
  )
  const cents = due[10] * 100 + off
  const content = returnFileOf([[{ code: 'R03', trace: payment!.trace, cents }]], '260312')
  await it.choose('Read Return File', { name: 'returns.ach', content })
}

type Look = {
  state: 'Locked' | 'Approved' | 'Released' | 'Settled'
  /** What the run pays. */
  total: string
  /** How many payees were paid, or are to be. */
  paid: string
  buttons: readonly string[]
  dialog?: string | RegExp
  alert?: RegExp
}
const allButtons = ['Approve', 'Release', 'Book Return', 'Open Again']

/** The run of February as it is to be seen, and nothing else. */
const looks =
  ({ state, total, paid, buttons, dialog, alert }: Look): Step =>
  async (it) => {
    same(await it.count('dialog'), dialog ? 1 : 0, 'dialogs')
    same(await it.count('alertdialog'), alert ? 1 : 0, 'questions')
    if (dialog) same(await it.count('dialog', dialog), 1, String(dialog))
    if (alert) same(await it.count('alertdialog', alert), 1, String(alert))
    same(await it.value('Month'), '2026-02', 'the month')
    ok(await it.shows(state), `February is not ${state}`)
    const foot = (await it.texts('row', undefined, 'Payout run')).at(-1)!
    ok(foot.includes(`${paid} of 3 paid`) && foot.includes(total), `the run ends in '${foot}'`)
    // A dialog hides what is behind it.
    if (!dialog && !alert)
      for (const name of allButtons)
        same(await it.count('button', name), buttons.includes(name) ? 1 : 0, name)
  }
const locked: Look = { state: 'Locked', total: '$110.00', paid: '2', buttons: ['Approve', 'Open Again'] }
const approved: Look = { ...locked, state: 'Approved', buttons: ['Release', 'Open Again'] }
const released: Look = {
  state: 'Released',
  total: '$0.00',
  paid: '2',
  buttons: ['Book Return', 'Open Again'],
}
const lockedAgain: Look = { ...released, state: 'Locked' }
const settled: Look = { ...released, state: 'Settled' }
const returned: Look = { ...settled, paid: '1' }
const oneLeft = (look: Look): Look => ({
  ...look,
  total: '$30.00',
  paid: '3',
  buttons: ['Approve', ...look.buttons],
})
const approvedRest: Look = {
  ...oneLeft(released),
  state: 'Approved',
  buttons: ['Release', ...released.buttons],
}
const questions = {
  hold: /^Hold MA0010/,
  'end hold': /^End the hold of MA0012/,
  return: /^Book a return/,
  reopen: /^Open February/,
}
const asked = (look: Look, question: keyof typeof questions): Step =>
  looks({ ...look, dialog: questions[question] })
const approveQuestion = /^Approve the payouts of February 2026/

const openMarch: Step = async (it) => {
  ok(await it.shows('March 2026 is open. Its payouts are settled once it is locked on'), 'March is not open')
  same(await it.count('region', 'Payout run'), 0, 'a run')
}
const ledgerRows = async (it: Driver) => (await it.texts('row', undefined, 'Payments')).slice(1)
const listsReturn: Step = async (it) =>
  ok(
    (await ledgerRows(it)).some((row) => row.includes('MA0010') && row.includes('R03 on 03/12/2026')),
    'the return is not listed',
  )

/** February is open; whether something of it was released, and so can be booked as returned, is shown. */
const openFebruary =
  (isPaid: boolean, dialog?: RegExp): Step =>
  async (it) => {
    ok(await it.shows('February 2026 is open.'), 'February is not open')
    same(await it.count('region', 'Payout run'), 0, 'a run')
    same(await it.count('dialog'), dialog ? 1 : 0, 'dialogs')
    if (dialog) same(await it.count('dialog', dialog), 1, String(dialog))
    const release = '$110.00 to 2 payees, version 1, Another way, effective 03/10/2026, by admin'
    same(await it.shows(release), isPaid, 'the release is shown')
    // A dialog hides what is behind it.
    if (!dialog)
      for (const name of allButtons)
        same(await it.count('button', name), isPaid && name === 'Book Return' ? 1 : 0, name)
  }

/** February is open, nothing of it was released, and one difference is listed: the copy or today's record counts. */
const differs =
  (counts: string): Step =>
  async (it) => {
    await openFebruary(false)(it)
    same(await it.count('alertdialog'), 0, 'questions')
    const rows = (await it.texts('row', undefined, 'Differences to the copies')).slice(1)
    same(rows.length, 1, 'differences')
    ok(rows[0]!.includes('MA0011') && rows[0]!.includes(counts), `it is said '${rows[0]}'`)
    const taken = await it.portal.db.query<{ isback: boolean }>(
      'select isback from month_takeover order by id desc limit 1',
    )
    same(taken[0]?.isback === false, counts !== 'Copied', 'what was taken over')
  }
const asksToTakeOver =
  (question: RegExp, counts: string): Step =>
  async (it) => {
    same(await it.count('alertdialog', question), 1, String(question))
    const rows = await it.texts('row', undefined, 'Differences to the copies')
    ok(rows[1]!.includes(counts), `it is said '${rows[1]}'`)
  }

/** March on Month, open; what the checklist says of the MID that is in no portfolio, and what was typed. */
const toLock =
  (wanted: { waived?: boolean; typed?: boolean } = {}): Step =>
  async (it) => {
    same(await it.value('Month'), '2026-03', 'the month')
    same(await it.count('dialog'), 0, 'dialogs')
    same(await it.count('button', lockTitle), 1, lockTitle)
    same(await it.count('button', /^Waive Aurora X-900/), wanted.waived ? 0 : 1, 'Waive')
    const [statement] = await it.portal.db.query<{ statednet: number }>(
      'select statednet from processor_statement',
    )
    same(statement?.statednet, wanted.typed ? 7 : undefined, 'what was typed')
    ok(await it.shows(wanted.typed ? '1 of 1 agree' : '1 not typed'), 'the step does not say so')
  }
const workViews: Record<string, Step> = {
  'March to lock': toLock(),
  'total typed': toLock({ typed: true }),
  'message that no total was saved': async (it) => same(await it.count('dialog', errorTitle), 1, errorTitle),
  'waive?': async (it) => same(await it.count('dialog', waiveTitle), 1, waiveTitle),
  waived: async (it) => {
    await toLock({ waived: true })(it)
    ok(await it.shows(`Waived by admin: ${reason}`), 'it is not said who waived it')
  },
  'lock?': async (it) => {
    same(await it.count('dialog', lockTitle), 1, lockTitle)
    ok(await it.shows('Lock March 2026? People are paid by it'), 'it is not asked')
  },
  'March locked': async (it) => {
    same(await it.count('dialog'), 0, 'dialogs')
    ok(await it.shows('Locked'), 'March is not locked')
    ok(await it.shows('Version 1, locked by admin on'), 'what was locked is not shown')
    const locks = await it.portal.db.query(`select 1 from month_lock where month = '2026-03-01'`)
    same(locks.length, 1, 'locks')
  },
}

const observe: Record<string, Step> = {
  ...workViews,
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  'own payments': async (it) => {
    same(await it.count('heading', 'Payouts'), 1, 'the heading')
    same(await it.count('combobox', 'Month'), 0, 'months')
    ok(await it.shows('No payments yet'), 'there are payments')
    ok(await it.shows('They appear here once the payouts of a month are released.'), 'it is not said when')
  },
  'payouts awaited': async (it) => {
    same(await it.count('heading', 'Payouts'), 1, 'the heading')
    same(await it.count('region', 'Payout run'), 0, 'a run')
  },
  'message that there are no payouts': async (it) =>
    same(await it.count('dialog', errorTitle), 1, errorTitle),
  'no payouts': async (it) => {
    same(await it.count('dialog'), 0, 'dialogs')
    ok(await it.shows('The payouts could not be loaded'), 'it is not said that they could not be loaded')
  },
  locked: looks(locked),
  'locked again': looks(lockedAgain),
  'return of locked again': asked(lockedAgain, 'return'),
  'paid, open again': openFebruary(true),
  'return of paid, open again': openFebruary(true, questions.return),
  'returned while open': async (it) => {
    await openFebruary(true)(it)
    ok(
      await it.shows('The return is booked: what was paid is due again.'),
      'it is not said that it is booked',
    )
    await listsReturn(it)
    same(await it.portal.db.query(`select count(*) as n from payout_return`), [{ n: 1 }], 'returns')
  },
  'open March': openMarch,
  'approve?': looks({ ...locked, alert: approveQuestion }),
  approving: looks({ ...locked, alert: approveQuestion }),
  'message that it was not approved': async (it) => same(await it.count('dialog', errorTitle), 1, errorTitle),
  'message that it has changed': async (it) => same(await it.count('dialog', errorTitle), 1, errorTitle),
  'hold?': asked(locked, 'hold'),
  'reason is required': async (it) => {
    await asked(locked, 'hold')(it)
    same((await it.state('textbox', 'Reason')).invalid, true, 'Reason is marked')
  },
  'one is paid': looks({ ...locked, total: '$60.00', paid: '1' }),
  'end hold?': asked(locked, 'end hold'),
  'all are paid': looks({ ...locked, total: '$140.00', paid: '3' }),
  'reopen?': asked(locked, 'reopen'),
  'open again': differs('Copied'),
  'take over?': asksToTakeOver(/^Take over: Pay on inactive merchants, MA0011/, 'Copied'),
  'taken over': differs('Today, taken over by admin'),
  'count the copy?': asksToTakeOver(/^Count the copy again of: Pay/, 'Today, taken over by admin'),
  approved: async (it) => {
    await looks(approved)(it)
    ok(await it.shows('approved by admin'), 'it is not said who approved it')
  },
  'open March beside approved': openMarch,
  'hold of approved': asked(approved, 'hold'),
  'end hold of approved': asked(approved, 'end hold'),
  'reopen of approved': asked(approved, 'reopen'),
  'release?': looks({ ...approved, dialog: releaseTitle }),
  'message that the day is refused': async (it) => same(await it.count('dialog', errorTitle), 1, errorTitle),
  'the day is refused': async (it) => {
    await looks({ ...approved, dialog: releaseTitle })(it)
    ok(await it.shows('Banks do not settle on 03/08/2026: the next bank day is 03/09/2026'), 'no reason')
    same(await it.portal.db.query('select 1 from payout_release'), [], 'releases')
  },
  released: async (it) => {
    await looks(released)(it)
    same((await ledgerRows(it)).length, 2, 'payments in the ledger')
  },
  'open March beside released': openMarch,
  'hold of released': asked(released, 'hold'),
  'return of released': asked(released, 'return'),
  'reopen of released': asked(released, 'reopen'),
  'end hold?, released': asked(released, 'end hold'),
  'released, one left': looks(oneLeft(released)),
  'approve of released, one left': looks({ ...oneLeft(released), alert: approveQuestion }),
  'approved, one left': looks(approvedRest),
  'return of approved, one left': asked(approvedRest, 'return'),
  settled: looks(settled),
  'open March beside settled': openMarch,
  'hold of settled': asked(settled, 'hold'),
  'reopen of settled': asked(settled, 'reopen'),
  'end hold?, settled': asked(settled, 'end hold'),
  'settled, one left': looks(oneLeft(settled)),
  'approve of settled, one left': looks({ ...oneLeft(settled), alert: approveQuestion }),
  'return?': asked(settled, 'return'),
  'what the file means': async (it) => {
    await looks({ ...settled, dialog: fileTitle })(it)
    ok(
      await it.shows(
        '1 return of $50.00 of 03/12/2026. Returns are final: once booked they cannot be taken back.',
      ),
      'it is not said what is booked',
    )
    const [row] = (await it.texts('row', undefined, 'Entries of the file')).slice(1)
    ok(row!.includes('MA0010') && row!.includes('Due again; the account is held'), `the entry is '${row}'`)
    same(await it.portal.db.query('select 1 from payout_return'), [], 'returns')
  },
  'what is wrong in the file': async (it) => {
    await looks({ ...settled, dialog: fileTitle })(it)
    const rows = (await it.texts('row', undefined, 'What is wrong in the file')).slice(1)
    ok(
      rows.length === 1 && rows[0]!.includes('The payment was $50.00, not $50.01'),
      `the faults are '${rows}'`,
    )
    same(await it.count('button', 'Book All'), 0, 'Book All')
  },
  'message that the file was not read': async (it) =>
    same(await it.count('dialog', errorTitle), 1, errorTitle),
  'the file was not read': async (it) => {
    await looks({ ...settled, dialog: fileTitle })(it)
    ok(
      await it.shows('The file could not be read. Close this and choose it again.'),
      'nothing is said of the file',
    )
  },
  'returned by file': async (it) => {
    await looks(returned)(it)
    ok(await it.shows('Booked: 1 return of $50.00.'), 'it is not said what was booked')
    await listsReturn(it)
    ok(await it.shows('payment returned, R03'), 'the payee is not held')
  },
  returned: async (it) => {
    await looks(returned)(it)
    await listsReturn(it)
    ok(await it.shows('payment returned, R03'), 'the payee is not held')
  },
}

export const month: UserModel = {
  machine: monthModel,
  stimuli: monthStimuli,
  steps,
  observe,
  begin: ({ portal }) => putMonths(portal),
}
