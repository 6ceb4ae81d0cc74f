import { expect } from 'vitest'
import { checkNacha } from '../server/payouts/files/nacha.ts'
import type { Payment } from './payoutBook.ts'
import { originator } from './payoutOrigin.ts'
import type { Scenario } from './payoutScenario.ts'

const order = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0])

/** A released file pays what the run said, to the accounts in force, and can be taken again byte for byte. */
export async function expectFile(scenario: Scenario, month: string, text: string, paid: readonly Payment[]) {
  const { batches, header } = checkNacha(text)
  expect(header).toMatchObject({ origin: originator.companyId, destination: ` ${originator.routing}` })
  for (const { kind, description } of batches)
    expect(description).toBe(kind === 'PPD' ? originator.ppd : originator.ccd)
  expect(
    batches
      .flatMap(({ kind, effective, entries }) =>
        entries.map((it) => [
          Number(it.id.slice(2)),
          kind,
          effective,
          it.code,
          it.routing,
          it.account,
          it.cents,
        ]),
      )
      .sort(order),
    `the bank file of ${month}`,
  ).toEqual(
    paid
      .map(({ payee, account, effective, cents }) => [
        payee,
        account.business ? 'CCD' : 'PPD',
        effective.replaceAll('-', '').slice(2),
        account.checking ? '22' : '32',
        account.routing,
        account.number,
        cents,
      ])
      .sort(order),
  )
  const path = `/api/v1/month/${month.slice(0, 7)}`
  const { body } = await scenario.call('bob', 'GET', `${path}/payout`)
  const ids = (body.releases as { id: number; how: string }[]).filter(({ how }) => how === 'file')
  const newest = Math.max(...ids.map(({ id }) => id))
  const again = await scenario.call('ann', 'GET', `${path}/release/${newest}/file`)
  expect([again.status, again.body]).toEqual([200, text])
}
