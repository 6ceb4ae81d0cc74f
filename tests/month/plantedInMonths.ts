import { monthAfter, netOf } from './book.ts'
import { draftOf, fileOf, monthText, type DraftSheet } from './draft.ts'
import { expected, type MonthPortal } from './monthPortal.ts'
import {
  cleanDraft,
  columnAt,
  merchantLink,
  midsOf,
  shopAt,
  totalAgain,
  withDraft,
  withSheet,
  type FaultMonth,
  type PlantedFault,
} from './plantedFault.ts'
import { sixLayouts } from './sixLayouts.ts'

const without = (sheet: DraftSheet, ...rows: number[]) => {
  sheet.rows = sheet.rows.filter((_, at) => !rows.includes(at))
  totalAgain(sheet)
}
const statementOf = async (portal: MonthPortal, { month }: FaultMonth, processor: string) => {
  const [row] = await portal.db.query<{ id: number; version: number; statednet: number }>(
    'select id, version, statednet from processor_statement where month = $1 and processor = $2',
    [`${month}-01`, processor],
  )
  return row!
}
type Stored = { id: number; version: number }
const changeRecord = async (portal: MonthPortal, path: string, change: (row: Stored) => object) => {
  const row = await expected<Stored>(portal.call('ann', 'GET', path))
  await expected(portal.call('admin', 'PUT', path, { version: row.version, ...change(row) }))
}
/** The merchant of a processor that brought most in the month. */
const largest = ({ book, month }: FaultMonth, processor: 'Cobalt' | 'Fernhill' | 'Dunmore') => {
  const figures = book.figures(month, processor)
  return figures.reduce((best, row, at) => (netOf(row) > netOf(figures[best]!) ? at : best), 0)
}
const everyAgent = ['agent-moved', 'MA00']

/** Rows that are missing, foreign or wrong in a way that the file itself cannot show. */
const wrongRows: PlantedFault[] = [
  {
    name: 'a merchant with volume that is in no file',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => without(sheet, 0)),
    found: (given) => {
      const { mid } = shopAt(given, 'Amberline', 0)
      return [`finding volume-without-file ${mid} /month/${given.month}/missing?search=${mid}`]
    },
    about: (given) => [shopAt(given, 'Amberline', 0).mid, 'stated-total Amberline'],
  },
  {
    name: 'a merchant without volume that is in no file',
    processor: 'Cobalt',
    file: withDraft('Cobalt', ({ sheets }) => sheets.forEach((sheet) => without(sheet, 5))),
    found: (given) => {
      const shop = shopAt(given, 'Cobalt', 5)
      return [`missing ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (given) => [shopAt(given, 'Cobalt', 5).mid, 'stated-total Cobalt'],
  },
  {
    name: 'a merchant that one of two sheets lacks',
    processor: 'Cobalt',
    file: withDraft('Cobalt', ({ sheets }, given) => without(sheets[1]!, largest(given, 'Cobalt'))),
    found: (given) => {
      const shop = shopAt(given, 'Cobalt', largest(given, 'Cobalt'))
      return [`variance silent ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (given) => [shopAt(given, 'Cobalt', largest(given, 'Cobalt')).mid, 'stated-total Cobalt'],
  },
  {
    name: 'the file of a processor that did not come',
    processor: 'Estuary',
    file: () => null,
    found: () => ['finding missing-file Estuary /'],
    about: (given) => [...midsOf(given, 'Estuary'), ...everyAgent],
  },
  {
    name: 'a merchant number that nobody knows',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet) => void (sheet.rows[3]![0] = '999000111222')),
    found: () => ['finding unknown-mid Fernhill 999000111222 /manage/merchants?search=999000111222'],
    about: (given) => [shopAt(given, 'Fernhill', 3).mid, '999000111222', 'house-income'],
  },
  {
    name: 'merchant numbers and names exchanged',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      for (const row of sheet.rows) [row[0], row[1]] = [row[1]!, row[0]!]
    }),
    found: (given) => [`finding unknown-mid Amberline ${shopAt(given, 'Amberline', 0).dba} /`],
    about: (given) => [
      ...midsOf(given, 'Amberline'),
      'unknown-mid Amberline',
      'house-income',
      'portfolio',
      'variance new',
      ...everyAgent,
    ],
  },
  {
    name: 'income and expenses exchanged where the file has no net',
    processor: 'Estuary',
    file: withSheet('Estuary', (sheet) => {
      const [income, expense] = [columnAt(sheet, 'Revenue'), columnAt(sheet, 'Expense')]
      for (const row of sheet.rows) [row[income], row[expense]] = [row[expense]!, row[income]!]
    }),
    found: (given) => [
      'finding stated-total Estuary /manage/statements?open=',
      `finding merchant-loss Estuary ${shopAt(given, 'Estuary', 4).mid} /`,
    ],
    about: (given) => [...midsOf(given, 'Estuary'), ...everyAgent],
  },
  {
    name: 'a net with the decimal point one place too far right',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet, given) => {
      const row = sheet.rows[largest(given, 'Fernhill')]!
      row[2] = `$${(Number(String(row[2]).replace('$', '')) * 10).toFixed(2)}`
      totalAgain(sheet)
    }),
    found: (given) => {
      const shop = shopAt(given, 'Fernhill', largest(given, 'Fernhill'))
      return [`finding merchant-moved ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (given) => [
      shopAt(given, 'Fernhill', largest(given, 'Fernhill')).mid,
      'stated-total Fernhill',
      ...everyAgent,
    ],
  },
  {
    name: 'a balance with the sign of a debt',
    processor: 'Dunmore',
    file: withSheet('Dunmore', (sheet, given) => {
      const row = sheet.rows[largest(given, 'Dunmore')]!
      row[2] = -Number(row[2])
    }),
    found: (given) => {
      const shop = shopAt(given, 'Dunmore', largest(given, 'Dunmore'))
      return [`finding merchant-loss Dunmore ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (given) => [
      shopAt(given, 'Dunmore', largest(given, 'Dunmore')).mid,
      'stated-total Dunmore',
      ...everyAgent,
    ],
  },
  {
    name: 'the rows of the month before, exported anew under the name of this month',
    processor: 'Amberline',
    file: (given) => {
      const layout = sixLayouts.Amberline
      const draft = draftOf(layout, given.book.figures(given.before, 'Amberline'), given.before)
      const { content, ...file } = fileOf(layout, draft)
      const anew = Buffer.concat([content, Buffer.from('\r\n')])
      return { ...file, content: anew, filename: layout.filename(given.month) }
    },
    found: () => ['finding stated-total Amberline /manage/statements?open='],
    about: () => [],
  },
  {
    name: 'a file without its last four rows and its total',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      sheet.rows = sheet.rows.slice(0, 8)
      sheet.totals = []
    }),
    found: (given) => [
      'finding stated-total Amberline /manage/statements?open=',
      `missing ${shopAt(given, 'Amberline', 9).mid} ${merchantLink(shopAt(given, 'Amberline', 9))}`,
    ],
    about: (given) => [...[8, 9, 10, 11].map((at) => shopAt(given, 'Amberline', at).mid), ...everyAgent],
  },
  {
    name: 'the same file a second time under another name',
    processor: 'Estuary',
    afterClean: true,
    file: (given) => ({
      ...fileOf(sixLayouts.Estuary, cleanDraft(given, 'Estuary')),
      filename: 'export again.csv',
    }),
    found: () => ['refused The same file was imported before, by ann'],
    about: () => [],
  },
  {
    name: 'a corrected file that lacks three of twelve rows',
    processor: 'Amberline',
    afterClean: true,
    file: withSheet('Amberline', (sheet) => without(sheet, 2, 4, 6)),
    found: () => ['asks question taken-away: 3 rows that an earlier file of Amberline'],
    about: () => [],
  },
  {
    name: 'a file of this month where that of the month before did not come',
    processor: 'Fernhill',
    file: (given) => {
      const draft = draftOf(
        sixLayouts.Fernhill,
        given.book.figures(given.month, 'Fernhill'),
        monthAfter(given.month, 1),
      )
      return fileOf(sixLayouts.Fernhill, draft)
    },
    found: ({ month }) => [
      `asks question gap: This file of Fernhill is of ${monthText(monthAfter(month, 1))}`,
    ],
    about: (given) => [...midsOf(given, 'Fernhill'), 'missing-file Fernhill', ...everyAgent],
  },
  {
    name: 'a merchant on two lines of one file',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      sheet.rows.push([...sheet.rows[3]!])
      totalAgain(sheet)
    }),
    found: (given) => [
      `warning 1 merchant stands in several rows, whose amounts are added up: ${shopAt(given, 'Amberline', 3).mid}`,
      'finding stated-total Amberline /manage/statements?open=',
    ],
    about: (given) => [shopAt(given, 'Amberline', 3).mid, 'A row with totals', ...everyAgent],
  },
]

/** What is wrong with records and statements, beside the files. */
const wrongRecords: PlantedFault[] = [
  {
    name: 'a statement that differs from the file by a cent',
    change: async (portal, given) => {
      const { id, version, statednet } = await statementOf(portal, given, 'Dunmore')
      const changed = { version, statednet: Math.round(statednet * 100 + 1) / 100 }
      await expected(portal.call('ann', 'PUT', `/api/v1/processorstatement/${id}`, changed))
    },
    found: () => ['finding stated-total Dunmore /manage/statements?open='],
    about: () => [],
  },
  {
    name: 'a statement that nobody typed',
    change: async (portal, given) => {
      const { id } = await statementOf(portal, given, 'Birchpay')
      await portal.call('ann', 'DELETE', `/api/v1/processorstatement/${id}`)
    },
    found: () => ['finding no-stated-total Birchpay /month/'],
    about: () => [],
  },
  {
    name: 'a note that there is no file although there is one of a merchant with volume',
    processor: 'Fernhill',
    file: () => null,
    change: async (portal, given) => {
      const { id, version } = await statementOf(portal, given, 'Fernhill')
      await expected(
        portal.call('ann', 'PUT', `/api/v1/processorstatement/${id}`, {
          version,
          statednet: null,
          nofile: true,
        }),
      )
    },
    found: (given) => [`finding volume-without-file ${shopAt(given, 'Fernhill', 1).mid} /month/`],
    about: (given) => [...midsOf(given, 'Fernhill'), ...everyAgent],
  },
  {
    name: 'a merchant that was given to another agent',
    change: (portal, given) => {
      const shop = shopAt(given, 'Cobalt', 2)
      return changeRecord(portal, `/api/v1/merchant/${shop.id}`, () => ({
        masteragentid: shop.agent === 12 ? 13 : 12,
      }))
    },
    found: (given) => {
      const shop = shopAt(given, 'Cobalt', 2)
      return [
        `finding assignment-changed merchant ${shop.id} masteragentid ${merchantLink(shop)}`,
        `variance moved ${shop.mid} ${merchantLink(shop)}`,
      ]
    },
    about: () => everyAgent,
  },
  {
    name: 'a percentage that was changed',
    change: (portal, { month }) =>
      changeRecord(portal, '/api/v1/masteragent/8', () => ({
        percentagecommissionreceived: 51,
        ratesfrom: month,
      })),
    found: ({ month }) => [
      `finding rate-changed 8 percentagecommissionreceived ${month} /manage/agents?open=8`,
    ],
    about: ({ book }) => [
      ...everyAgent,
      ...book.shops.filter(({ agent }) => agent === 8).map(({ mid }) => mid),
    ],
  },
  {
    name: "a percentage above the parent's",
    change: (portal, { month }) =>
      changeRecord(portal, '/api/v1/masteragent/12', () => ({
        percentagecommissionreceived: 55,
        ratesfrom: month,
      })),
    found: () => ['finding percent-above-parent 12 /manage/agents?open=12'],
    about: ({ book }) => [
      ...everyAgent,
      'rate-changed 12',
      ...book.shops.filter(({ agent }) => agent === 12).map(({ mid }) => mid),
    ],
  },
  {
    name: 'an agent without an account',
    change: async (portal) => {
      await portal.db.query('update master_agent set bankaccountnumber = null where id = 5')
    },
    found: () => ['finding hold 5 /manage/agents?open=5'],
    about: () => [],
  },
]

/** Faults that are stored, and that the month must show. */
export const plantedInMonths: readonly PlantedFault[] = [...wrongRows, ...wrongRecords]
