import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answered, epoch, ledger, type Ledger } from './ledger.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
})
afterAll(() => portal.close())

const run = (type: string, inputs: object, names: string[]) => answered(portal.admin, type, inputs, names)

describe('compliance, reckoned by hand', () => {
  beforeAll(async () => {
    const { db } = portal
    // Dapple: 1 of 1 transactions disputed; Ember: 1 of 20; retrievals and other months do not count.
    const cases = [
      ['40123456789', 'C1', 'chargeback', '2026-09-05', 90],
      ['401234567895555', 'C2', 'pre-arbitration', '2026-09-30', 12.5],
      ['401234567895555', 'C3', 'retrieval', '2026-09-06', 99],
      ['401234567895555', 'C4', 'chargeback', '2026-10-01', 99],
      ['0012345678901', 'C5', 'chargeback', '2026-09-01', 1],
      ['X-900', 'C6', 'chargeback', '2026-09-02', 5],
    ]
    for (const [xmid, casenumber, casetype, filed, amount] of cases)
      await db.query(
        'insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid) values ($1, $2, $1, $3, $4, $5, 1)',
        [xmid, casenumber, casetype, epoch(String(filed)), amount],
      )
    const pci: [string, string, string | null, string | null, string | null, number][] = [
      ['0012345678901', 'Compliant', '2027-01-01', '2026-01-01', null, 0],
      ['4012345678902345', 'Compliant', '2026-09-30', '2026-01-01', null, 0],
      ['401234567890', 'Failed', null, '2026-08-01', null, 0],
      ['40123456789', 'Non-Compliant', null, '2026-05-01', null, 39.95],
      ['401234567895555', 'Pass', '2027-01-01', '2026-08-20', '2026-06-01', 0],
    ]
    for (const [xmid, status, expires, enrolled, scan, fee] of pci)
      await db.query(
        `insert into pci_compliance (xmid, compliancestatus, expirationdate, enrolleddate, scanrequired, lastscandate, noncompliancefee, batchid)
          values ($1, $2, $3, $4, $5, $6, $7, 1)`,
        [
          xmid,
          status,
          expires && epoch(expires),
          enrolled && epoch(enrolled),
          scan !== null,
          scan && epoch(scan),
          fee,
        ],
      )
    await db.query(
      `insert into tin_validation (xmid, code, tinstatus, description, notice, noticedate, withholdingpercent, batchid) values
        ('0012345678901', 3, 'Mismatch', 'Name and TIN do not match', 1, $1, null, 1), ('40123456789', 0, 'Match', '', null, null, null, 1),
        ('401234567895555', 1, 'Missing', 'No TIN', 2, $2, 31, 1)`,
      [epoch('2026-08-28'), epoch('2026-11-13')],
    )
    const volume: [string, string, number][] = [
      ['2026-07-01', '0012345678901', 50],
      ['2026-09-01', '0012345678901', 100],
      ['2026-09-03', '0012345678901', 10],
      ['2026-09-09', '0012345678901', 30.5],
      ['2026-11-01', '401234567890', 5],
    ]
    for (const [date, xmid, net] of volume)
      await db.query(
        'insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ($1, $2, 2, $3, $3, 1)',
        [date, xmid, net],
      )
  })

  test('Dispute Ratio', async () => {
    const names = [
      'xmid',
      'cases',
      'disputed',
      'txncount',
      'sales',
      'countratio',
      'amountratio',
      'before',
      'beforeratio',
      'flag',
    ]
    const { rows, totals } = await run('dispute-ratio', { month: '2026-09' }, names)
    expect(rows).toEqual([
      ['40123456789', 1, 90, 1, 100, 100, 90, 0, null, 'Over 1 %'],
      ['X-900', 1, 5, 2, 77, 50, 6.49, 0, null, 'Over 1 %'],
      ['0012345678901', 1, 1, 10, 1000, 10, 0.1, 8, 12.5, 'Over 1 %'],
      ['401234567895555', 1, 12.5, 20, 4000, 5, 0.31, 0, null, 'Over 1 %'],
    ])
    expect(totals).toEqual(['Total', 4, 108.5, 33, 5177, 12.12, 2.1, 8, 50, null])
  })

  test('Dispute Ratio has the merchant with more cases first where the ratios are the same', async () => {
    for (const [xmid, sales, cases] of [
      ['R-1', 2, 1],
      ['R-2', 6, 3],
      ['R-3', 4, 2],
    ]) {
      await portal.db.query(
        `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
          values ('2026-05-05', $1, $2, 9, 9, 1)`,
        [xmid, sales],
      )
      await portal.db.query(
        `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
          select $1, 'Same ' || n, '', 'chargeback', $3, 1, 1 from generate_series(1, $2::int) n`,
        [xmid, cases, epoch('2026-05-06')],
      )
    }
    const { rows } = await run('dispute-ratio', { month: '2026-05' }, ['xmid', 'cases', 'countratio'])
    expect(rows).toEqual([
      ['R-2', 3, 50],
      ['R-3', 2, 50],
      ['R-1', 1, 50],
    ])
    await portal.db.query(`delete from chargeback where casenumber like 'Same %'`)
    await portal.db.query(`delete from daily_volume where volumedate = '2026-05-05'`)
  })

  test('Dispute Ratio offers the months up to the current one in which cases were filed', async () => {
    const at = new Date()
    const [current, next] = [0, 1].map((months) =>
      new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)).toISOString().slice(0, 10),
    ) as [string, string]
    for (const [index, day] of [current, next, '2020-03-01'].entries())
      await portal.db.query(
        `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
          values ('X-900', $1, '', 'chargeback', $2, 5, 1)`,
        [`M${index}`, epoch(day)],
      )
    const { body } = await portal.admin.call('GET', '/api/v1/report')
    const { inputs } = body.data.find(({ id }: { id: string }) => id === 'dispute-ratio')
    const offered = inputs[0].constraints.map(({ id }: { id: string }) => id)
    expect(offered).toContain(current.slice(0, 7))
    expect(offered).not.toContain(next.slice(0, 7))
    // The first of a month is of that one alone.
    expect(offered.slice(-1)).toEqual(['2020-03'])
    expect(offered).toEqual([...new Set(offered)].toSorted().reverse())
    const { rows } = await run('dispute-ratio', { month: current.slice(0, 7) }, ['xmid', 'cases'])
    expect(rows).toContainEqual(['X-900', 1])
    await portal.db.query(`delete from chargeback where casenumber in ('M0', 'M1', 'M2')`)
  })

  test('PCI Non-Compliance', async () => {
    const { rows } = await run('pci-non-compliance', { asof: '10/01/2026' }, [
      'xmid',
      'why',
      'daystofee',
      'fee',
      'feestate',
    ])
    expect(rows).toEqual([
      // 90 days from 2026-01-01 and 2026-05-01 are over by 183 and 63; 2026-08-01 has 29 left, 2026-08-20 has
      // 48
      ['4012345678902345', 'Expired', -183, 0, 'Due and not charged'],
      ['40123456789', 'Not compliant', -63, 39.95, 'Charged'],
      ['401234567890', 'Not compliant', 29, 0, 'Not yet due'],
      ['401234567895555', 'Scan lapsed', 48, 0, 'Not yet due'],
      ['401234567897777', 'Never enrolled', null, 0, null],
    ])
  })

  test('TIN Mismatch', async () => {
    const names = ['xmid', 'tinstatus', 'code', 'notice', 'deadline', 'daysleft', 'volume', 'rate', 'exposed']
    const { rows, totals } = await run('tin-mismatch', { asof: '11/20/2026' }, names)
    expect(rows).toEqual([
      // 30 business days after Friday 08/28: 09/07 and 10/12 are holidays, so Monday 10/12 + 1
      ['0012345678901', 'Mismatch', 3, 'First', epoch('2026-10-13'), -38, 1900, 24, 456],
      // after Friday 11/13: 11/26, 12/25 are holidays
      ['401234567895555', 'Missing', 1, 'Second', epoch('2026-12-29'), 39, 4000, 31, 1240],
      ['401234567890', 'Mismatch', null, null, null, null, 900, 24, 216],
    ])
    expect(totals).toEqual(['Total', null, null, null, null, null, 6800, null, 1912])
  })

  test('Non-processing Merchants', async () => {
    const today = Math.floor(Date.now() / 86_400_000)
    const since = (day: string) => today - epoch(day) / 86_400
    const names = ['xmid', 'lastbatch', 'silent', 'usual']
    // A day that is still to come is none of theirs.
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
        values (current_date + 2, '40123456789', 1, 1, 1, 1)`,
    )
    const { rows } = await run('non-processing-merchants', { days: since('2026-09-09') }, names)
    // Four days with batches from 07/01 to 09/09: 70 days, three gaps.
    expect(rows.filter((row) => row[1] !== null)).toEqual([
      ['0012345678901', epoch('2026-09-09'), since('2026-09-09'), 23.33],
    ])
    expect(rows.filter((row) => row[1] === null).map((row) => row[0])).toEqual([
      '40123456789',
      '4012345678902345',
      '401234567895555',
      '401234567897777',
    ])
    expect(
      (await run('non-processing-merchants', { days: since('2026-09-09') + 1 }, names)).rows.filter(
        (row) => row[1] !== null,
      ),
    ).toEqual([])
  })

  test('Non-processing Merchants of equal volume are in the order of their last batch, those that never had one last', async () => {
    for (const [date, xmid] of [
      ['2020-01-03', '401234567895555'],
      ['2020-01-02', '4012345678902345'],
      ['2020-01-02', '40123456789'],
    ])
      await portal.db.query(
        'insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ($1, $2, 1, 1, 1, 1)',
        [date, xmid],
      )
    const { rows } = await run('non-processing-merchants', { days: 1000 }, ['xmid', 'lastbatch', 'volume'])
    expect(rows).toEqual([
      ['401234567895555', epoch('2020-01-03'), 0],
      ['40123456789', epoch('2020-01-02'), 0],
      ['4012345678902345', epoch('2020-01-02'), 0],
      ['401234567897777', null, 0],
    ])
  })

  const missing = async (month = '2026-09') => {
    const names = ['finding', 'processor', 'xmid', 'sales', 'missing']
    const { rows } = await run('missing-unmatched-mids', { month }, names)
    return rows.filter(([finding]) => finding !== 'In a file, not in the portfolio')
  }
  const addRow = (processor: string, month: string, xmid: string) =>
    portal.db.query(
      `insert into residual (month, processor, xmid, dba, txncount, sales, income, expense, net, batchid)
        values ($1, $2, $3, '', 1, 1, 1, 0, 1, 1)`,
      [`${month}-01`, processor, xmid],
    )
  const inNoFile = 'In the portfolio with volume, not in a file'
  test('merchants with volume that are in no file are found missing', async () => {
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ('2026-09-30', '401234567897777', 1, 12, 12, 1)`,
    )
    expect(await missing()).toEqual([[inNoFile, 'Aurora', '401234567897777', 12, 1]])
  })
  test('a merchant that two processors had before is missing once, and not where it is in the file of one', async () => {
    await addRow('Borealis', '2026-07', '401234567897777')
    // Dapple has volume of September, and is in the file of Borealis.
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ('2026-09-30', '40123456789', 1, 7, 7, 1)`,
    )
    await addRow('Aurora', '2026-07', '40123456789')
    const gable = [inNoFile, 'Aurora', '401234567897777', 12, 1]
    expect(await missing()).toEqual([gable])
    await addRow('Aurora', '2026-08', '40123456789')
    expect(await missing()).toEqual([
      gable,
      ['In the file of the month before, not in this one', 'Aurora', '40123456789', null, 1],
    ])
  })

  test('a merchant that was closed later is missing, and one that was closed before is not', async () => {
    // Fennel was closed on 09/15 and Cinder on 07/31; both have volume of August, and Cinder is in its file.
    await portal.db.query(`delete from residual where xmid = '401234567890' and month = '2026-08-01'`)
    await portal.db.query('update merchant set accountstatus = 3, date_closed = $1 where xmid = $2', [
      epoch('2026-07-31'),
      '401234567890',
    ])
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
        select '2026-08-20', xmid, 1, 9, 9, 1 from unnest('{401234567896666,401234567890}'::text[]) xmid`,
    )
    const found = (await missing('2026-08')).filter(([finding]) => finding === inNoFile)
    expect(found).toEqual([[inNoFile, 'Aurora', '401234567896666', 9, null]])
  })

  test('TIN Mismatch follows a status that somebody wrote after the file', async () => {
    const write = (xmid: string, status: string) =>
      portal.db.query('update merchant set tinstatus = $2 where xmid = $1', [xmid, status])
    await write('0012345678901', 'match')
    await write('40123456789', 'Error')
    await write('401234567895555', 'Missing')
    await portal.db.query(`update tin_validation set description = 'Called' where xmid = '40123456789'`)
    const names = ['xmid', 'tinstatus', 'code', 'description']
    const { rows } = await run('tin-mismatch', { asof: '11/20/2026' }, names)
    expect(rows).toEqual([
      ['401234567895555', 'Missing', 1, 'No TIN'],
      ['401234567890', 'Mismatch', null, null],
      ['40123456789', 'Error', null, null],
    ])
  })

  test('Missing and Unmatched MIDs are in the order of processor, volume and MID, also those that were never in a file', async () => {
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, accountstatus, processor) values
        ('N-4', '', 2, 2, 'Aurora'), ('N-3', '', 2, 2, 'Aurora'), ('N-2', '', 2, 2, 'Aurora'),
        ('N-1', '', 2, 2, 'Borealis'), ('N-5', '', 2, 3, 'Aurora'), ('N-6', '', 2, 2, 'Aurora'),
        ('N-7', '', 2, 2, 'Aurora'), ('N-9', '', 2, 2, 'Aurora'), ('N-8', '', 2, 2, 'Aurora')`,
    )
    const volume: [string, string, number][] = [
      ['N-1', '2026-09-01', 90],
      ['N-2', '2026-09-01', 5],
      ['N-2', '2026-09-30', 3],
      ['N-3', '2026-09-02', 8],
      ['N-4', '2026-09-02', 20],
      ['N-5', '2026-09-02', 1],
      ['N-6', '2026-08-31', 1],
      ['N-6', '2026-10-01', 1],
      ['N-7', '2026-09-02', 0],
    ]
    for (const [xmid, day, sales] of volume)
      await portal.db.query(
        `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
          values ($1, $2, 1, $3, $3, 1)`,
        [day, xmid, sales],
      )
    for (const xmid of ['N-9', 'N-8']) await addRow('Aurora', '2026-08', xmid)
    await addRow('Aurora', '2026-07', 'N-6')
    const before = 'In the file of the month before, not in this one'
    expect(await missing()).toEqual([
      [inNoFile, 'Aurora', 'N-4', 20, null],
      [inNoFile, 'Aurora', '401234567897777', 12, 1],
      [inNoFile, 'Aurora', 'N-2', 8, null],
      [inNoFile, 'Aurora', 'N-3', 8, null],
      [inNoFile, 'Aurora', 'N-7', 0, null],
      [inNoFile, 'Borealis', 'N-1', 90, null],
      [before, 'Aurora', 'N-8', 0, 1],
      [before, 'Aurora', 'N-9', 0, 1],
      [before, 'Aurora', '40123456789', null, 1],
    ])
  })

  test('a merchant that is in no file stands under the processor of its newest row, of two in a month the first by name', async () => {
    for (const [xmid, rows] of Object.entries({
      'R-1': ['Aurora 2026-07', 'Borealis 2026-08'],
      'R-2': ['Borealis 2026-07', 'Aurora 2026-08'],
      'R-3': ['Borealis 2026-08', 'Aurora 2026-08'],
    })) {
      await portal.db.query(
        `insert into merchant (xmid, dba, masteragentid, accountstatus, processor)
          values ($1, '', 2, 2, 'Corona')`,
        [xmid],
      )
      await portal.db.query(
        `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
          values ('2026-09-02', $1, 1, 1, 1, 1)`,
        [xmid],
      )
      for (const row of rows) {
        const [processor, month] = row.split(' ')
        await addRow(processor!, month!, xmid)
      }
    }
    const found = (await missing()).filter(([, , xmid]) => String(xmid).startsWith('R-'))
    expect(found.map((row) => row.slice(0, 3))).toEqual([
      [inNoFile, 'Aurora', 'R-2'],
      [inNoFile, 'Aurora', 'R-3'],
      [inNoFile, 'Borealis', 'R-1'],
    ])
  })
})

describe('who agreed, who may what, and what was taken', () => {
  beforeAll(async () => {
    const { db } = portal
    await db.query(`insert into terms (tctext) values ('The first version'), ('The second version')`)
    await db.query(
      `insert into portal_user (username, password_hash, masteragentid) values
        ('t-none', '', 4), ('t-first', '', 4), ('t-both', '', 4), ('t-alone', '', null)`,
    )
    const accepted = [
      ['t-first', 1],
      ['t-both', 2],
      ['t-both', 1],
      ['admin', 2],
    ]
    for (const [username, version] of accepted)
      await db.query(
        `insert into terms_acceptance (termsid, userid, ipaddress, acceptancedate)
          select (select max(id) + $2 - 2 from terms), id, '', '2026-10-05 12:00Z'
            from portal_user where username = $1
          on conflict do nothing`,
        [username, version],
      )
  })
  const ours = (rows: unknown[][]) => rows.filter(([name]) => String(name).startsWith('t-'))

  test('Terms Outstanding has who accepted none or an older version, also without a master agent', async () => {
    const names = ['username', 'latest', 'accepted', 'acceptedon']
    const { rows } = await run('terms-outstanding', {}, names)
    const [{ first, latest }] = (await portal.db.query<{ first: number; latest: number }>(
      'select max(id) - 1 as first, max(id) as latest from terms',
    )) as [{ first: number; latest: number }]
    expect(ours(rows)).toEqual([
      ['t-alone', latest, null, null],
      ['t-first', latest, first, epoch('2026-10-05')],
      ['t-none', latest, null, null],
    ])
  })

  test('User Access has everybody, also without a master agent, with what each may do and the last sign-in', async () => {
    await portal.db.query(
      `insert into audit (at, username, address, action, entity, entityid) values
        ('2026-10-05 23:59Z', 't-both', '', 'login', 'user', ''),
        ('2026-10-04 00:00Z', 't-both', '', 'login', 'user', ''),
        ('2026-10-06 00:00Z', 't-both', '', 'update', 'user', ''),
        ('2026-10-06 00:00Z', 't-both', '', 'login', 'mail', '')`,
    )
    await portal.db.query(`update portal_user set permissions = '{manage_tickets}' where username = 't-both'`)
    const names = ['username', 'displayid', 'sees', 'admin', 'lock_reports', 'manage_tickets', 'lastsignin']
    const { rows } = await run('user-access', {}, names)
    expect(ours(rows)).toEqual([
      ['t-alone', null, 'None', false, false, false, null],
      ['t-both', 'MA0004', 'Branch', false, false, true, epoch('2026-10-05')],
      ['t-first', 'MA0004', 'Branch', false, false, false, null],
      ['t-none', 'MA0004', 'Branch', false, false, false, null],
    ])
    const others = rows
      .filter(([name]) => name === 'admin' || name === 'office')
      .map((row) => row.slice(0, 6))
    expect(others).toEqual([
      ['admin', null, 'All', true, true, false],
      ['office', 'MA0001', 'All', false, true, false],
    ])
  })

  test('Export Log has the newest first', async () => {
    await portal.db.query(
      `insert into report_export (at, username, address, report, inputs, format, copy) values
        ('2020-05-01 00:00Z', 't-one', '', 'First', '{}', 'csv', null),
        ('2020-05-02 23:58Z', 't-two', '', 'Second', '{}', 'nacha', 1),
        ('2020-05-02 23:59Z', 't-two', '', 'Second', '{}', 'nacha', 2),
        ('2020-05-03 00:00Z', 't-three', '', 'Third', '{}', 'csv', null),
        ('2020-04-30 23:59Z', 't-zero', '', 'Before', '{}', 'csv', null)`,
    )
    const names = ['username', 'copy', 'again', 'result']
    const { rows } = await run('export-log', { from: '05/01/2020', to: '05/02/2020' }, names)
    expect(rows).toEqual([
      ['t-two', 2, true, 'Broken off'],
      ['t-two', 1, false, 'Broken off'],
      ['t-one', null, null, 'Broken off'],
    ])
  })

  test('Export Log says which files are complete, and which are broken off because they began an hour ago', async () => {
    await portal.db.query(
      `insert into report_export (at, finished_at, sha256, username, address, report, inputs, format) values
        (now() - interval '61 minutes', null, null, 't-late', '', 'R', '{}', 'csv'),
        (now() - interval '59 minutes', null, null, 't-soon', '', 'R', '{}', 'csv'),
        (now() - interval '61 minutes', now(), 'x', 't-done', '', 'R', '{}', 'csv')`,
    )
    const { rows } = await run('export-log', { from: '01/01/2021', to: '12/31/2100' }, ['username', 'result'])
    expect(ours(rows)).toEqual([
      ['t-done', 'Complete'],
      ['t-soon', 'Not complete'],
      ['t-late', 'Broken off'],
    ])
  })
})
