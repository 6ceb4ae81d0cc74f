import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answered, epoch, ledger, type Ledger } from '../ledger.ts'

/** In a time zone that has another day than UTC where the portal counts days of UTC. */
let portal: Ledger
beforeAll(async () => {
  portal = await ledger({ timeZone: 'America/New_York' })
})
afterAll(() => portal.close())

const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
type Row = Record<string, unknown>
const add = (table: string, row: Row) =>
  sql(
    `insert into ${table} (${Object.keys(row).join()}) select ${Object.keys(row).join()}
      from jsonb_populate_record(null::${table}, $1)`,
    [JSON.stringify(row)],
  )
/** The cells of the rows of a report that match, by the headings of their columns. */
async function shown(type: string, inputs: object, wanted: Row): Promise<Row[]> {
  const { body } = await answered(portal.admin, type, inputs, [])
  const columns = body.columns as { name: string; displayname: string }[]
  return (body.data as Row[])
    .filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
    .map((row) => Object.fromEntries(columns.map(({ name, displayname }) => [displayname, row[name]])))
}
const alder = '0012345678901'
const gable = '401234567897777'
const ofGable = { 'Merchant ID': gable, DBA: 'Gable Books', 'Master Agent': 'MA0002 - North' }

describe('each column shows what its heading says of a month that is open, in', () => {
  const month = { month: '2026-09' }
  const span = { from: '08/01/2026', to: '09/30/2026' }
  const east = { 'Master Agent': 'MA0003', Name: 'East' }
  const aurora = { Processor: 'Aurora', Transactions: 10, Volume: 1000 }
  const earned = { Income: 150, Expenses: 50, Net: 100, BPS: 1000 }
  const ofAlder = { DBA: 'Alder Bakery', 'Master Agent': 'MA0003 - East' }
  beforeAll(async () => {
    await add('residual', {
      month: '2025-12-01',
      processor: 'Aurora',
      xmid: alder,
      dba: '',
      txncount: 1,
      sales: 1,
      income: 5,
      expense: 0,
      net: 5,
      batchid: 1,
    })
    await add('daily_volume', {
      volumedate: '2026-09-10',
      xmid: alder,
      salescount: 4,
      salesamount: 100,
      netamount: 90,
      batchid: 1,
    })
  })

  test.each<[report: string, inputs: object, wanted: Row, row: Row]>([
    [
      'residual-summary',
      month,
      { displayid: 'MA0003' },
      {
        ...east,
        Parent: 'MA0002 - North',
        Merchants: 2,
        Transactions: 10,
        Volume: 1000,
        Net: 79.95,
        Own: 39.97,
        Override: 0,
        House: 31.99,
        Withheld: 0,
        Equipment: 30,
        Adjustments: 0,
        Subscriptions: 15.5,
        'Carried In': 0,
        Due: 54.47,
        Payable: 0,
        'Carried Out': 54.47,
        Held: 'No bank data',
      },
    ],
    [
      'agent-residual-statement',
      { ...month, agent: '3' },
      { xmid: alder },
      {
        Section: 'Merchant',
        'DBA / Description': 'Alder Bakery',
        'Merchant ID': alder,
        Through: null,
        ...aurora,
        Merchants: 1,
        Net: 100,
        Percent: 50,
        Flat: 0,
        Withheld: 0,
        Amount: 50,
        'Why Withheld': null,
      },
    ],
    [
      'agent-residual-statement',
      { ...month, agent: '2' },
      { section: 'Override' },
      {
        Section: 'Override',
        'DBA / Description': 'East',
        'Merchant ID': null,
        Through: 'MA0003 - East',
        ...aurora,
        Merchants: 2,
        Net: 79.95,
        Percent: 10,
        Flat: 0,
        Withheld: 0,
        Amount: 7.99,
        'Why Withheld': null,
      },
    ],
    [
      'statement-compared',
      { ...month, agent: '3' },
      { xmid: alder },
      {
        Cause: 'Net of the merchants',
        'DBA / Description': 'Alder Bakery',
        'Merchant ID': alder,
        Through: null,
        Processor: 'Aurora',
        'Net Before': 80,
        Net: 100,
        'Percent Before': 50,
        Percent: 50,
        Before: 40,
        Now: 50,
        Difference: 10,
      },
    ],
    [
      'merchant-profitability',
      month,
      { xmid: alder },
      {
        'Merchant ID': alder,
        ...ofAlder,
        ...aurora,
        ...earned,
        'Net Year to Date': 180,
        'Net Lifetime': 185,
      },
    ],
    [
      'merchant-by-month',
      { merchant: alder },
      { month: '2026-09' },
      { Month: '2026-09', State: 'Open', ...ofAlder, ...aurora, ...earned },
    ],
    [
      'processor-control-totals',
      month,
      { processor: 'Aurora' },
      {
        Processor: 'Aurora',
        File: 'Aurora_Sep2026.csv',
        Rows: 5,
        Transactions: 38,
        Volume: 5800,
        Income: 510,
        Expenses: 146.72,
        Net: 363.28,
        'Stated Net': 363.29,
        Difference: -0.01,
        Note: '',
      },
    ],
    [
      'attrition',
      span,
      { displayid: 'MA0003' },
      {
        ...east,
        'Accounts at Start': 2,
        'Accounts Lost': 0,
        'Account Attrition': 0,
        'Volume at Start': 900,
        'Volume at End': 1000,
        'Volume Attrition': -11.11,
        'Transactions at Start': 8,
        'Transactions at End': 10,
        'Transaction Attrition': -25,
        'Residual at Start': 80,
        'Residual at End': 79.95,
        'Residual Attrition': 0.06,
      },
    ],
    [
      'portfolio-summary',
      span,
      { displayid: 'MA0003' },
      {
        ...east,
        'Active Merchants': 2,
        New: 0,
        Closed: 0,
        Volume: 90,
        Transactions: 4,
        'Average Ticket': 22.5,
        Income: 280,
        Net: 159.95,
        'Residual Sales': 1900,
        BPS: 841.84,
      },
    ],
    [
      'missing-unmatched-mids',
      month,
      { xmid: gable },
      {
        Finding: 'In the file of the month before, not in this one',
        Processor: 'Aurora',
        ...ofGable,
        Volume: 0,
        Net: null,
        'Months Missing': 1,
        'Last Month in a File': '2026-08',
      },
    ],
  ])('%s of %j', async (report, inputs, wanted, row) => {
    expect(await shown(report, inputs, wanted)).toEqual([row])
  })

  test.each<[report: string, inputs: object, notes: string[]]>([
    [
      'attrition',
      span,
      [
        'Accounts at Start were added before From and not closed by then; new business is left out.',
        'Volume, transactions and residual compare the month of From with the month of To.',
      ],
    ],
    [
      'portfolio-summary',
      span,
      ['Active counts the merchants as they are today. Income and net are of the months the span touches.'],
    ],
    [
      'dispute-ratio',
      month,
      [
        'This is a dispute ratio of our own files: the networks also count fraud reports, and count by card brand. ' +
          'Retrievals are left out.',
      ],
    ],
    [
      'non-processing-merchants',
      { days: 30 },
      [
        'Merchants without a Last Batch never had one. Usual Gap is the average time between the days with batches.',
      ],
    ],
    ['pci-non-compliance', {}, ['Days to Fee count 90 days from enrolment. A scan is good for 90 days.']],
    [
      'tin-mismatch',
      {},
      [
        'Withholding begins 30 business days after the notice, at 24 % where no other rate is known; ' +
          'some states ask for more.',
      ],
    ],
    [
      'agent-1099-totals',
      { year: 2026 },
      [
        'Reportable from $2,000 a year.',
        'Counted are the payments that took effect in the year and did not come back.',
      ],
    ],
    [
      'agent-1099-totals',
      { year: 2027 },
      [
        'Reportable from $2,000 a year. The IRS indexes the amount from 2027: check it.',
        'Counted are the payments that took effect in the year and did not come back.',
      ],
    ],
  ])('the notes of %s with %j', async (report, inputs, notes) => {
    expect((await answered(portal.admin, report, inputs, [])).body.notes).toEqual(notes)
  })

  test('the notes of the statement of an office account', async () => {
    const { body } = await answered(portal.admin, 'agent-residual-statement', { ...month, agent: '1' }, [])
    expect(body.notes).toContain('This is an office account: it is shown and never paid out.')
  })
})

describe('each column shows what its heading says in', () => {
  test('Dispute Ratio, whose name of a merchant is that of its record', async () => {
    for (const [casenumber, amount] of [
      ['C1', 12],
      ['C2', 4],
    ])
      await add('chargeback', {
        xmid: gable,
        casenumber,
        dba: 'As it was filed',
        casetype: 'chargeback',
        filedate: epoch('2026-09-05'),
        amount,
        batchid: 1,
      })
    await add('daily_volume', {
      volumedate: '2026-09-30',
      xmid: gable,
      salescount: 8,
      salesamount: 160,
      netamount: 150,
      batchid: 1,
    })
    expect(await shown('dispute-ratio', { month: '2026-09' }, { xmid: gable })).toEqual([
      {
        ...ofGable,
        Disputes: 2,
        'Disputed Amount': 16,
        Transactions: 8,
        Volume: 160,
        'Count Ratio': 25,
        'Amount Ratio': 10,
        'Transactions the Month Before': 2,
        'Ratio to the Month Before': 100,
        Flag: 'Over 1 %',
      },
    ])
  })

  test('Non-processing Merchants, whose volume is net and none of days to come, of active merchants', async () => {
    const cinder = '401234567890'
    for (const [ago, salesamount, netamount] of [
      [41, 50, 45],
      [40, 70, 60],
      [-2, 9, 8],
    ])
      await sql(
        `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
          values ((now() at time zone 'America/New_York')::date - $1::int, $2, 1, $3, $4, 1)`,
        [ago, cinder, salesamount, netamount],
      )
    const [day] = await sql(
      `select extract(epoch from ((now() at time zone 'America/New_York')::date - 40)::timestamp)::int as last`,
    )
    await sql(`update merchant set processor = 'Corona' where xmid = $1`, [cinder])
    expect(await shown('non-processing-merchants', { days: 40 }, { xmid: cinder })).toEqual([
      {
        'Merchant ID': cinder,
        DBA: 'Cinder Diner',
        'Master Agent': 'MA0002 - North',
        Processor: 'Corona',
        'Last Batch': day!['last'],
        'Days Silent': 40,
        'Usual Gap in Days': 1,
        'Volume of the Last 90 Days': 105,
      },
    ])
    for (const state of [1, 3]) {
      await sql('update merchant set accountstatus = $2 where xmid = $1', [cinder, state])
      expect(await shown('non-processing-merchants', { days: 40 }, { xmid: cinder })).toEqual([])
    }
    await sql(`update merchant set processor = 'Aurora', accountstatus = 2 where xmid = $1`, [cinder])
  })

  test.each([1, 2, 3])('PCI Non-Compliance, where a merchant is of state %i', async (accountstatus) => {
    await sql('update merchant set accountstatus = $2 where xmid = $1', [gable, accountstatus])
    await sql('delete from pci_compliance')
    await add('pci_compliance', {
      xmid: gable,
      dba: 'As it is in the file',
      pcilevel: 4,
      saqtype: 'SAQ-C',
      saqstatus: 'Begun',
      scanstatus: 'Failed',
      scanrequired: true,
      lastscandate: epoch('2026-08-01'),
      compliancestatus: 'Refused',
      expirationdate: epoch('2026-12-01'),
      enrolleddate: epoch('2026-09-01'),
      vendor: 'Shield',
      noncompliancefee: 19.95,
      batchid: 1,
    })
    const rows = await shown('pci-non-compliance', { asof: '10/01/2026' }, { xmid: gable })
    await sql('update merchant set accountstatus = 2 where xmid = $1', [gable])
    const row = {
      ...ofGable,
      Reason: 'Not compliant',
      Status: 'Refused',
      'PCI Level': 4,
      'SAQ Type': 'SAQ-C',
      'SAQ Status': 'Begun',
      'Scan Status': 'Failed',
      'Last Scan': epoch('2026-08-01'),
      Expires: epoch('2026-12-01'),
      Enrolled: epoch('2026-09-01'),
      'Days to Fee': 60,
      Fee: 19.95,
      'Fee State': 'Charged',
      Vendor: 'Shield',
    }
    expect(rows).toEqual(accountstatus === 2 ? [row] : [])
  })

  test.each([
    ['No such TIN', 'No such TIN'],
    ['', 'As the file says'],
  ])('TIN Mismatch, where the record says %j of the result', async (written, description) => {
    await sql('delete from tin_validation')
    await sql(`update merchant set tinstatus = 'Mismatch', tinstatusdescription = $2 where xmid = $1`, [
      gable,
      written,
    ])
    await add('tin_validation', {
      xmid: gable,
      tinstatus: 'Mismatch',
      code: 3,
      description: 'As the file says',
      checkeddate: epoch('2026-08-20'),
      notice: 1,
      noticedate: epoch('2026-08-28'),
      withholdingpercent: 30,
      batchid: 1,
    })
    expect(await shown('tin-mismatch', { asof: '10/01/2026' }, { xmid: gable })).toEqual([
      {
        ...ofGable,
        'TIN Status': 'Mismatch',
        Code: 3,
        Description: description,
        Checked: epoch('2026-08-20'),
        'B-Notice': 'First',
        'Notice Date': epoch('2026-08-28'),
        'Withholding Begins': epoch('2026-10-13'),
        'Days Left': 12,
        'Volume of 12 Months': 100,
        Rate: 30,
        'Withholding at Stake': 30,
      },
    ])
  })

  test.each([
    [1, 'PPS'],
    [2, 'Master Agent'],
    [3, 'Merchant'],
    [null, null],
  ])('Equipment Outstanding, of a terminal of the owner %j', async (equipmentownertypeid, owner) => {
    await sql(`delete from equipment where serialnumber = 'SN-9'`)
    await add('equipment', {
      model: 'T9',
      serialnumber: 'SN-9',
      licensingkey: 'LK9',
      trackingnumber: 'TN9',
      paymentterms: 'Net 60',
      merchantid: (await sql('select id from merchant where xmid = $1', [gable]))[0]!['id'],
      cost: 40,
      soldfor: 90,
      paidsofar: 20,
      requestedpaperworkdate: epoch('2026-09-21'),
      completedpaperworkdate: epoch('2026-10-05'),
      equipmentownertypeid,
    })
    const inputs = { asof: '10/01/2026' }
    expect(await shown('equipment-outstanding', inputs, { serialnumber: 'SN-9' })).toEqual([
      {
        SN: 'SN-9',
        Model: 'T9',
        'LK/DID': 'LK9',
        ...ofGable,
        'Equipment Owner': owner,
        'Sold For': 90,
        'Paid So Far': 20,
        Balance: 70,
        'Payment Terms': 'Net 60',
        'Requested Date': epoch('2026-09-21'),
        'Days Since Request': 10,
        Paperwork: 'Not completed',
      },
    ])
  })

  test('Terms Outstanding, whose days are those of UTC', async () => {
    await sql(
      `insert into terms (tctext, created_at) values ('One', '2026-10-01 00:30Z'), ('Two', '2026-10-06 00:30Z')`,
    )
    await sql(
      `insert into terms_acceptance (termsid, userid, ipaddress, acceptancedate)
        select (select max(id) - 1 from terms), id, '', '2026-10-02 23:30Z'
        from portal_user where username = 'east'`,
    )
    await sql(
      `insert into terms_acceptance (termsid, userid, ipaddress)
        select (select max(id) from terms), id, '' from portal_user where username = 'admin'`,
    )
    const [{ latest }] = (await sql('select max(id) as latest from terms')) as [{ latest: number }]
    expect(await shown('terms-outstanding', {}, { username: 'east' })).toEqual([
      {
        Username: 'east',
        'Master Agent': 'MA0003 - East',
        'Latest Terms': latest,
        Published: epoch('2026-10-06'),
        'Last Accepted': latest - 1,
        'Accepted On': epoch('2026-10-02'),
      },
    ])
  })

  test('User Access, whose days are those of UTC', async () => {
    await sql(
      `update portal_user set email = 'e@example.com', created_at = '2026-10-01 00:30Z' where username = 'east'`,
    )
    await sql(
      `insert into audit (at, username, address, action, entity, entityid)
        values ('2026-10-02 00:30Z', 'east', '', 'login', 'user', '')`,
    )
    const rows = await shown('user-access', {}, { username: 'east' })
    expect(rows).toMatchObject([
      {
        Username: 'east',
        'Master Agent': 'MA0003',
        'Agent Name': 'East',
        Sees: 'Branch',
        Administrator: false,
        Email: 'e@example.com',
        Created: epoch('2026-10-01'),
        'Last Sign-in': epoch('2026-10-02'),
      },
    ])
  })

  test('Export Log, with the inputs that were given', async () => {
    await add('report_export', {
      at: '2020-05-01T12:34:56Z',
      finished_at: '2020-05-01T12:35:00Z',
      username: 'east',
      address: '192.0.2.7',
      report: 'Some Report',
      inputs: { to: '2026-09-30', agent: null, from: '2026-09-01' },
      format: 'nacha',
      month: '2026-09-01',
      lockversion: 3,
      modifier: 'B',
      copy: 2,
      rows: 41,
      bytes: 5900,
      sha256: 'ab12',
    })
    expect(await shown('export-log', { from: '05/01/2020', to: '05/01/2020' }, {})).toEqual([
      {
        'Time (UTC)': '2020-05-01 12:34:56',
        Username: 'east',
        Address: '192.0.2.7',
        Report: 'Some Report',
        Inputs: 'from 2026-09-01, to 2026-09-30',
        Format: 'nacha',
        'Locked Month': '2026-09',
        Version: 3,
        'File ID Modifier': 'B',
        Copy: 2,
        'Taken Again': true,
        Rows: 41,
        Bytes: 5900,
        Result: 'Complete',
        'SHA-256': 'ab12',
      },
    ])
  })

  test('Lock Versions Compared, where every figure of an agent differs and one is of a merchant', async () => {
    await addVersion(1, { name: 'East', dba: 'Alder Bakery', reopened: 'Wrong file' })
    await addVersion(2, { name: 'East and Sons', dba: 'Alder Bread', reopened: null })
    const inputs = { month: '2025-01', older: 1, newer: 2 }
    expect(await shown('lock-versions-compared', inputs, {})).toEqual([
      ...figures.map((figure, at) => ({
        Of: 'Master Agent',
        ID: 'MA0003',
        Name: 'East and Sons',
        Figure: `${figure[0]!.toUpperCase()}${figure.slice(1)}`,
        Before: at + 1,
        After: 2 * (at + 1),
        Difference: at + 1,
      })),
      {
        Of: 'Merchant',
        ID: alder,
        Name: 'Alder Bread',
        Figure: 'Pays to MA0003',
        Before: 5,
        After: 10,
        Difference: 5,
      },
    ])
    expect((await answered(portal.admin, 'lock-versions-compared', inputs, [])).body.notes).toEqual([
      'Version 1 was locked by ann on 02/01/2025 00:30 UTC, and reopened by bob: Wrong file.',
      'Version 2 was locked by ann on 02/02/2025 00:30 UTC.',
    ])
  })
})

const figures = [
  'own',
  'override',
  'withheld',
  'equipment',
  'adjustments',
  'subscriptions',
  'carryin',
  'due',
  'payable',
  'carryout',
]
type Version = { name: string; dba: string; reopened: string | null }

const statement = { displayid: 'MA0003', isofficeaccount: false, merchants: 1, txncount: 1, sales: 1, net: 1 }
const line = { line: 1, xmid: alder, processor: 'Aurora', isknown: true, txncount: 1, sales: 1 }
const income = { income: 1, expense: 0, net: 1, house: 0 }
const pay = { part: 1, lines: [1], fromagentids: [null], percents: [50], flats: [0], withhelds: [0] }

/** A lock of January 2025 with one statement, of an agent whose figures are 1, 2, 3 … times the version. */
async function addVersion(version: number, { name, dba, reopened }: Version) {
  const [lock] = await sql(
    `insert into month_lock (month, version, hash, username, locked_at, reopened_at, reopened_by, reason)
      values ('2025-01-01', $1, '', 'ann', $2, $3, $4, $5) returning id`,
    [version, `2025-02-0${version} 00:30Z`, reopened && '2025-02-01 01:00Z', reopened && 'bob', reopened],
  )
  const of = { lockid: lock!['id'], masteragentid: 3 }
  const amounts = Object.fromEntries(figures.map((figure, at) => [figure, (at + 1) * version]))
  await add('locked_statement', { ...of, ...statement, name, ...amounts })
  await add('locked_merchant', { ...of, ...line, ...income, dba })
  await add('locked_pay_part', { ...of, ...pay, amounts: [5 * version] })
}
