import type { ReturnFileReply } from '../../../schemas/api/months/months.ts'

/** What a file with one return means, before it is booked. */
export const returnReply: ReturnFileReply = {
  committed: false,
  day: '2026-03-02',
  faults: [],
  entries: [
    {
      line: 1,
      kind: 'return',
      trace: '1',
      code: 'R01',
      meaning: 'Insufficient funds',
      masteragentid: 2,
      displayid: 'MA0002',
      name: 'North',
      month: '2026-02',
      amount: 12,
      outcome: 'It is due again.',
      isbooked: true,
    },
  ],
}
