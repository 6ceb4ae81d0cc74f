/** Words of the help that stand as headings of columns, without their texts, which lists do not need. */
const words = [
  'DBA',
  'Due',
  'Finding',
  'House',
  'Master Agent',
  'Net',
  'Office Account',
  'Override',
  'Own',
  'Payee',
  'Withheld',
  'XMID',
]

/** Headings that are another form of a word. */
const wordsOfHeadings: Readonly<Record<string, string>> = {
  Adjustments: 'Adjustment',
  'Amount Commission Received': 'Amount Commission',
  'Came Back': 'Return',
  'Carried In': 'Carry',
  'Carried Out': 'Carry',
  'DBA / Description': 'DBA',
  Held: 'Hold',
  'Hold Reason': 'Hold',
  'Late MID': 'Late',
  'Net Lifetime': 'Net',
  'Net Year to Date': 'Net',
  'Net in the File': 'Net',
  Payable: 'Payout',
  'Return Code': 'Return',
  'Stated Net': 'Control Total',
  Waived: 'Waive',
  'Why Withheld': 'Withheld',
}

/** The word of the help that explains a heading, null for none (everywhere 4). */
export const wordOfHeading = (heading: string): string | null =>
  words.includes(heading)
    ? heading
    : Object.hasOwn(wordsOfHeadings, heading)
      ? wordsOfHeadings[heading]!
      : null
