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
  type Ground,
  type Plant,
} from './plant.ts'
import { sixLayouts } from './sixLayouts.ts'

const without = (sheet: DraftSheet, ...rows: number[]) => {
  sheet.rows = sheet.rows.filter((_, at) => !rows.includes(at))
  totalAgain(sheet)
}
const statementOf = async (portal: MonthPortal, { month }: Ground, processor: string) => {
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
const largest = ({ book, month }: Ground, processor: 'Cobalt' | 'Fernhill' | 'Dunmore') => {
  const figures = book.figures(month, processor)
  return figures.reduce((best, row, at) => (netOf(row) > netOf(figures[best]!) ? at : best), 0)
}
const everyAgent = ['agent-moved', 'MA00']

/** Rows that are missing, foreign or wrong in a way that the file itself cannot show. */
const wrongRows: Plant[] = [
  {
    name: 'a merchant with volume that is in no file',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => without(sheet, 0)),
    found: (ground) => {
      const { mid } = shopAt(ground, 'Amberline', 0)
      return [`finding volume-without-file ${mid} /month/${ground.month}/missing?search=${mid}`]
    },
    about: (ground) => [shopAt(ground, 'Amberline', 0).mid, 'stated-total Amberline'],
  },
  {
    name: 'a merchant without volume that is in no file',
    processor: 'Cobalt',
    file: withDraft('Cobalt', ({ sheets }) => sheets.forEach((sheet) => without(sheet, 5))),
    found: (ground) => {
      const shop = shopAt(ground, 'Cobalt', 5)
      return [`missing ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (ground) => [shopAt(ground, 'Cobalt', 5).mid, 'stated-total Cobalt'],
  },
  {
    name: 'a merchant that one of two sheets lacks',
    processor: 'Cobalt',
    file: withDraft('Cobalt', ({ sheets }, ground) => without(sheets[1]!, largest(ground, 'Cobalt'))),
    found: (ground) => {
      const shop = shopAt(ground, 'Cobalt', largest(ground, 'Cobalt'))
      return [`variance silent ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (ground) => [shopAt(ground, 'Cobalt', largest(ground, 'Cobalt')).mid, 'stated-total Cobalt'],
  },
  {
    name: 'the file of a processor that did not come',
    processor: 'Estuary',
    file: () => null,
    found: () => ['finding missing-file Estuary /'],
    about: (ground) => [...midsOf(ground, 'Estuary'), ...everyAgent],
  },
  {
    name: 'a merchant number that nobody knows',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet) => void (sheet.rows[3]![0] = '999000111222')),
    found: () => ['finding unknown-mid Fernhill 999000111222 /manage/merchants?search=999000111222'],
    about: (ground) => [shopAt(ground, 'Fernhill', 3).mid, '999000111222', 'house-income'],
  },
  {
    name: 'merchant numbers and names exchanged',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      for (const row of sheet.rows) [row[0], row[1]] = [row[1]!, row[0]!]
    }),
    found: (ground) => [`finding unknown-mid Amberline ${shopAt(ground, 'Amberline', 0).dba} /`],
    about: (ground) => [
      ...midsOf(ground, 'Amberline'),
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
    found: (ground) => [
      'finding stated-total Estuary /manage/statements?open=',
      `finding merchant-loss Estuary ${shopAt(ground, 'Estuary', 4).mid} /`,
    ],
    about: (ground) => [...midsOf(ground, 'Estuary'), ...everyAgent],
  },
  {
    name: 'a net with the decimal point one place too far right',
    processor: 'Fernhill',
    file: withSheet('Fernhill', (sheet, ground) => {
      const row = sheet.rows[largest(ground, 'Fernhill')]!
      row[2] = `$${(Number(String(row[2]).replace('$', '')) * 10).toFixed(2)}`
      totalAgain(sheet)
    }),
    found: (ground) => {
      const shop = shopAt(ground, 'Fernhill', largest(ground, 'Fernhill'))
      return [`finding merchant-moved ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (ground) => [
      shopAt(ground, 'Fernhill', largest(ground, 'Fernhill')).mid,
      'stated-total Fernhill',
      ...everyAgent,
    ],
  },
  {
    name: 'a balance with the sign of a debt',
    processor: 'Dunmore',
    file: withSheet('Dunmore', (sheet, ground) => {
      const row = sheet.rows[largest(ground, 'Dunmore')]!
      row[2] = -Number(row[2])
    }),
    found: (ground) => {
      const shop = shopAt(ground, 'Dunmore', largest(ground, 'Dunmore'))
      return [`finding merchant-loss Dunmore ${shop.mid} ${merchantLink(shop)}`]
    },
    about: (ground) => [
      shopAt(ground, 'Dunmore', largest(ground, 'Dunmore')).mid,
      'stated-total Dunmore',
      ...everyAgent,
    ],
  },
  {
    name: 'the rows of the month before, exported anew under the name of this month',
    processor: 'Amberline',
    file: (ground) => {
      const layout = sixLayouts.Amberline
      const draft = draftOf(layout, ground.book.figures(ground.before, 'Amberline'), ground.before)
      const { content, ...file } = fileOf(layout, draft)
      const anew = Buffer.concat([content, Buffer.from('\r\n')])
      return { ...file, content: anew, filename: layout.filename(ground.month) }
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
    found: (ground) => [
      'finding stated-total Amberline /manage/statements?open=',
      `missing ${shopAt(ground, 'Amberline', 9).mid} ${merchantLink(shopAt(ground, 'Amberline', 9))}`,
    ],
    about: (ground) => [...[8, 9, 10, 11].map((at) => shopAt(ground, 'Amberline', at).mid), ...everyAgent],
  },
  {
    name: 'the same file a second time under another name',
    processor: 'Estuary',
    onTop: true,
    file: (ground) => ({
      ...fileOf(sixLayouts.Estuary, cleanDraft(ground, 'Estuary')),
      filename: 'export again.csv',
    }),
    found: () => ['refused The same file was imported before, by ann'],
    about: () => [],
  },
  {
    name: 'a corrected file that lacks three of twelve rows',
    processor: 'Amberline',
    onTop: true,
    file: withSheet('Amberline', (sheet) => without(sheet, 2, 4, 6)),
    found: () => ['asks question taken-away: 3 rows that an earlier file of Amberline'],
    about: () => [],
  },
  {
    name: 'a file of this month where that of the month before did not come',
    processor: 'Fernhill',
    file: (ground) => {
      const draft = draftOf(
        sixLayouts.Fernhill,
        ground.book.figures(ground.month, 'Fernhill'),
        monthAfter(ground.month, 1),
      )
      return fileOf(sixLayouts.Fernhill, draft)
    },
    found: ({ month }) => [
      `asks question gap: This file of Fernhill is of ${monthText(monthAfter(month, 1))}`,
    ],
    about: (ground) => [...midsOf(ground, 'Fernhill'), 'missing-file Fernhill', ...everyAgent],
  },
  {
    name: 'a merchant on two lines of one file',
    processor: 'Amberline',
    file: withSheet('Amberline', (sheet) => {
      sheet.rows.push([...sheet.rows[3]!])
      totalAgain(sheet)
    }),
    found: (ground) => [
      `warning 1 merchant stands in several rows, whose amounts are added up: ${shopAt(ground, 'Amberline', 3).mid}`,
      'finding stated-total Amberline /manage/statements?open=',
    ],
    about: (ground) => [shopAt(ground, 'Amberline', 3).mid, 'A row with totals', ...everyAgent],
  },
]

/** What is wrong with records and statements, beside the files. */
const wrongRecords: Plant[] = [
  {
    name: 'a statement that differs from the file by a cent',
    change: async (portal, ground) => {
      const { id, version, statednet } = await statementOf(portal, ground, 'Dunmore')
      const changed = { version, statednet: Math.round(statednet * 100 + 1) / 100 }
      await expected(portal.call('ann', 'PUT', `/api/v1/processorstatement/${id}`, changed))
    },
    found: () => ['finding stated-total Dunmore /manage/statements?open='],
    about: () => [],
  },
  {
    name: 'a statement that nobody typed',
    change: async (portal, ground) => {
      const { id } = await statementOf(portal, ground, 'Birchpay')
      await portal.call('ann', 'DELETE', `/api/v1/processorstatement/${id}`)
    },
    found: () => ['finding no-stated-total Birchpay /manage/statements?open='],
    about: () => [],
  },
  {
    name: 'a note that there is no file although there is one of a merchant with volume',
    processor: 'Fernhill',
    file: () => null,
    change: async (portal, ground) => {
      const { id, version } = await statementOf(portal, ground, 'Fernhill')
      await expected(
        portal.call('ann', 'PUT', `/api/v1/processorstatement/${id}`, {
          version,
          statednet: null,
          nofile: true,
        }),
      )
    },
    found: (ground) => [`finding volume-without-file ${shopAt(ground, 'Fernhill', 1).mid} /month/`],
    about: (ground) => [...midsOf(ground, 'Fernhill'), ...everyAgent],
  },
  {
    name: 'a merchant that was given to another agent',
    change: (portal, ground) => {
      const shop = shopAt(ground, 'Cobalt', 2)
      return changeRecord(portal, `/api/v1/merchant/${shop.id}`, () => ({
        masteragentid: shop.agent === 12 ? 13 : 12,
      }))
    },
    found: (ground) => {
      const shop = shopAt(ground, 'Cobalt', 2)
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
export const plantedInMonths: readonly Plant[] = [...wrongRows, ...wrongRecords]
