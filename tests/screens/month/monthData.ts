import type { MonthView } from '../../../machines/month.machine.ts'
import type {
  Finding,
  KindSum,
  MonthDetail,
  MonthState,
  Payout,
  PayoutRelease,
} from '../../../schemas/api/months/months.ts'
import type { MonthFile, TypedStatement } from '../../../schemas/api/months/work.ts'

export const month = '2026-10'

export const processorOf = (
  given: Partial<MonthDetail['processors'][number]>,
): MonthDetail['processors'][number] => ({
  processor: 'Aurora',
  expected: true,
  file: 'a.csv',
  net: 5,
  statednet: null,
  ...given,
})
export const fileOf = (given: Partial<MonthFile>): MonthFile => ({
  processor: 'Aurora',
  batch: 1,
  filename: 'a.csv',
  username: 'ben',
  at: 1_790_000_000,
  rows: 3,
  ...given,
})
export const statementOf = (given: Partial<TypedStatement>): TypedStatement => ({
  id: 1,
  version: 1,
  processor: 'Aurora',
  statednet: null,
  nofile: false,
  ...given,
})
export const findingOf = (given: Partial<Finding>): Finding => ({
  key: 'unknown-mid:Aurora 1',
  kind: 'unknown-mid',
  severity: 'warning',
  what: 'The MID is not in the portfolio',
  where: 'Aurora 1 Stranger',
  amount: 7,
  link: '/manage/merchants?search=1',
  waiver: null,
  ...given,
})
const sumOf = (findings: readonly Finding[]) =>
  findings.reduce((cents, { amount }) => cents + Math.round((amount ?? 0) * 100), 0) / 100
/** The findings by kind, as the server counts them. */
export const kindsOf = (findings: readonly Finding[]): KindSum[] =>
  [...new Set(findings.map(({ kind }) => kind))].map((kind) => {
    const group = findings.filter((it) => it.kind === kind)
    const waived = group.filter(({ waiver }) => waiver !== null)
    return {
      kind,
      severity: group[0]!.severity,
      count: group.length,
      sum: group.every(({ amount }) => amount === null) ? null : sumOf(group),
      waived: waived.length,
      waivedsum: sumOf(waived),
      waivedby: [...new Set(waived.map(({ waiver }) => waiver!.username))],
    }
  })
export const detailOf = (given: Partial<MonthDetail>): MonthDetail => ({
  month,
  state: 'open',
  version: 0,
  processors: [],
  kinds: kindsOf(given.findings ?? []),
  findings: [],
  files: [],
  statements: [],
  locked: null,
  ...given,
})
export const payoutOf = (given: Partial<Payout>): Payout => ({
  month,
  state: 'locked',
  version: 1,
  hash: 'a'.repeat(64),
  lockedby: 'lena',
  total: 12,
  entries: [
    {
      masteragentid: 2,
      displayid: 'MA0002',
      name: 'North',
      account: '****1234',
      accounttype: 'Checking',
      entryclass: 'CCD',
      statements: [2],
      due: 12,
      released: 0,
      payable: 12,
      hold: null,
      isheld: false,
      cannotunhold: null,
      ischanged: false,
      duebefore: null,
    },
  ],
  approval: null,
  releases: [],
  notes: [],
  cannotapprove: null,
  cannotrelease: null,
  nextbankday: '2026-11-02',
  takesfiles: false,
  canfile: false,
  isclosed: false,
  isnewestlock: true,
  ...given,
})
/** A bank file of version 1. */
export const release: PayoutRelease = {
  id: 1,
  version: 1,
  how: 'file',
  effective: null,
  username: 'ann',
  at: 1_790_000_000,
  payments: 1,
  total: 0,
  returned: 0,
  returnedtotal: 0,
  cannotreturn: null,
  filename: null,
  approval: null,
}

/** October in this state, beside September. */
export const monthView = (
  state: MonthState,
  detail: MonthDetail,
  payout: Payout | null = null,
): MonthView => {
  const version = state === 'open' ? 0 : 1
  const shown = { month, state, version }
  return {
    months: [shown, { month: '2026-09', state: 'settled', version: 1 }],
    month: shown,
    payout,
    released: payout,
    differences: null,
    detail: { ...detail, state, version },
  }
}
