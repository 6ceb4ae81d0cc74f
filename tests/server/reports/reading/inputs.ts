import { catalogue } from '../../../../server/reports/catalogue.ts'

const given: Record<string, unknown> = {
  month: '2026-09',
  agent: '2',
  merchant: '0012345678901',
  from: '08/01/2026',
  to: '12/31/2030',
  days: 1,
  year: 2026,
  older: 1,
  newer: 1,
}

/** Values for the inputs of a report, of which the ledger has rows; `others` replace some of them. */
export function inputsOf(id: string, others: Record<string, unknown> = {}) {
  const values = { ...given, ...others }
  return Object.fromEntries(
    Object.keys(catalogue.find((it) => it.id === id)!.inputs).flatMap((name) =>
      name in values ? [[name, values[name]]] : [],
    ),
  )
}
