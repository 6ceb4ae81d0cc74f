/**
 * What each report is for, by its name; docs/product/help.md shows the same texts (everywhere 4). A test
 * holds the names against the catalogue of the server.
 */
export const reportHelp: Readonly<Record<string, string>> = {
  'ACH Payout':
    'Who is paid of a locked month, to which account, and who is not paid and why. Read it before a ' +
    'month is approved; who releases payments takes the bank’s file from it.',
  'Agent 1099 Totals':
    'What each payee was paid in a year, for the tax forms: only payments that took effect and did ' +
    'not come back.',
  'Agent Residual Statement':
    'Why one agent is due its amount for a month: every merchant, override, terminal, subscription ' +
    'and adjustment with its amount. It is what an agent is sent.',
  Attrition:
    'What each agent’s portfolio lost between two days: accounts, volume and residual of the ' +
    'merchants that were there at the start. New business does not hide it.',
  'Carry Forward':
    'Which agents begin a month with an amount of earlier ones, from which months it comes, and what ' +
    'is left over.',
  'Dispute Ratio':
    'Merchants whose disputes come near the limits of the card networks, before the networks say so.',
  'Equipment Outstanding':
    'Terminals whose price is not paid whole or whose paperwork is not back, to ask for both.',
  'Export Log': 'Who took which file out of the portal, when, and its hash: for audits.',
  'Lock Versions Compared':
    'What changed between two locks of a month that was opened again, figure by figure, before it is ' +
    'paid.',
  'Merchant by Month':
    'What one merchant processed and brought in each month, to see whether it grows, shrinks or has ' +
    'stopped.',
  'Merchant Profitability':
    'What each merchant brings and costs, in the month, this year and ever: the merchants that carry ' +
    'a portfolio.',
  'Missing and Unmatched MIDs':
    'MIDs of a file that no merchant has, and merchants that are in no file: both are income nobody ' +
    'shares yet.',
  'Month Checklist':
    'Everything to look at before a month is locked: warnings that need a reason first, then notes, ' +
    'each with its sum and a link.',
  'Non-processing Merchants':
    'Active merchants without a batch for a number of days, those with the most volume first.',
  'Payout Evidence':
    'Who locked, waived, approved and released a month, in the order it happened: the proof of two ' +
    'people.',
  'Payout History':
    'The payments of a span of days and what came back of them, to find one payment of one payee.',
  'PCI Non-Compliance': 'Merchants without valid PCI compliance and the day on which a fee is due.',
  'Portfolio Summary':
    'How each agent’s portfolio did in a span of days: merchants that came and went, volume, income ' +
    'and net.',
  'Processor Control Totals':
    'Whether each processor’s file adds up to what its statement says, and by how much it differs.',
  'Residual Summary by Agent':
    'What every agent is due and paid for a month in one line each, with what is left for the house.',
  'Statement Compared':
    'Why an agent is paid more or less than the month before: merchants that came, went or moved, net, ' +
    'percentages and the other lines, each with what it changes.',
  'Terms Outstanding': 'Who has not accepted the latest terms, to remind them.',
  'TIN Mismatch':
    'Merchants whose name and tax id do not match, with the days of notices and of withholding.',
  'User Access': 'What each user may see and do: for the review of access.',
  'Withheld Pay':
    'What agents would have earned of inactive merchants and are not paid, with the reason for each ' +
    'line.',
}
