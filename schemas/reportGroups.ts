/** The headings under which the reports are listed, in their order (reports 37). */
export const reportGroups = [
  'Pay of Agents',
  'Payouts',
  'Months and Files',
  'Portfolio',
  'Risk and Compliance',
  'Access',
] as const
export type ReportGroup = (typeof reportGroups)[number]
