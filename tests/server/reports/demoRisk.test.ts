import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imports } from '../../../schemas/imports/imports.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
})
afterAll(() => portal.close())
const values = async (sql: string) => (await portal.db.query(sql)).map((row) => Object.values(row)[0])
const countIn = async (sql: string) => Number((await values(sql))[0])

describe('the demo data shows', () => {
  it('chargebacks of every type in every status', async () => {
    expect(await countIn(`select count(distinct (casetype, status)) from chargeback`)).toBe(20)
  })
  it('two merchants with more than one case in a hundred sales last month', async () => {
    const over = `select count(*) from (select c.xmid from chargeback c join residual r on r.xmid = c.xmid and r.month = date_trunc('month', now()) - interval '1 month'
      where to_timestamp(c.filedate) at time zone 'UTC' >= r.month and to_timestamp(c.filedate) at time zone 'UTC' < r.month + interval '1 month'
      group by c.xmid, r.txncount having count(*) > r.txncount * 0.01) t`
    expect(await countIn(over)).toBe(2)
  })
  it('one case number that two merchants have, and what became of cases', async () => {
    expect(
      await countIn(
        'select count(*) from (select casenumber from chargeback group by casenumber having count(distinct xmid) > 1) t',
      ),
    ).toBe(1)
    const unseen = `select count(*) from chargeback c where (c.casetype, c.status) is distinct from
      (select (s.casetype, s.status) from chargeback_state s where s.chargebackid = c.id order by s.id desc limit 1)`
    expect(await countIn(unseen)).toBe(0)
    expect(
      await countIn(
        'select max(n) from (select count(*) as n from chargeback_state group by chargebackid) t',
      ),
    ).toBe(2)
  })
  it('the control totals of each import, as an import stores them', async () => {
    // Merchants belong to no import: others change them too.
    const { merchant: _, ...kinds } = imports
    for (const { name, table, totals = {} } of Object.values(kinds)) {
      const sums = Object.entries(totals).map(([total, field]) => `'${total}', sum(${field})`)
      const wanted = `jsonb_build_object(${[`'rows', count(*)`, ...sums].join(', ')})`
      const differing = `select b.filename from import_batch b
        join (select batchid, ${wanted} as wanted from ${table} group by batchid) t
          on t.batchid = b.id
        where b.kind = '${name}' and b.totals <> t.wanted`
      expect(await values(differing), name).toEqual([])
    }
  })
  it('PCI compliance that lapsed, lapses within 14 days, or was never begun', async () => {
    const now = 'extract(epoch from now())'
    expect(
      await countIn(`select count(*) from pci_compliance where expirationdate < ${now}`),
    ).toBeGreaterThan(50)
    expect(
      await countIn(
        `select count(*) from pci_compliance where iscompliant and expirationdate between ${now} and ${now} + 14 * 86400`,
      ),
    ).toBeGreaterThan(20)
    expect(await countIn(`select count(*) from pci_compliance where enrolleddate is null`)).toBeGreaterThan(
      50,
    )
  })
  it('TIN results of every code, as the merchants show them, and one second notice', async () => {
    expect(await values('select distinct code from tin_validation order by code')).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ])
    expect(
      await countIn(
        'select count(*) from tin_validation t join merchant m using (xmid) where (t.tinstatus, t.description) is distinct from (m.tinstatus, m.tinstatusdescription)',
      ),
    ).toBe(0)
    expect(
      await countIn(
        'select count(*) from tin_validation where notice = 2 and withholding and withholdingpercent = 24',
      ),
    ).toBe(1)
  })
})
