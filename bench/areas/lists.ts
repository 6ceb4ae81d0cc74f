import { sortableFields } from '../../schemas/entities/entity.ts'
import { merchant } from '../../schemas/entities/merchant.ts'
import { type Area, type Case, type Goal, most } from '../case.ts'
import { absentWord, type Person, randomId, rareWord, xmidOf } from '../data.ts'
import {
  directusCalling,
  plainCalling,
  portalCalling,
  preparedCalling,
  scopeOf,
  type Environment,
} from '../environment.ts'
import { type Asked, listAddress, plainMerchants } from '../plainSql.ts'

/** A page of merchants of the portal, of the plain server and of its statement alone. */
async function listContenders(it: Environment, name: string, asked: Asked, person: Person = 'admin') {
  const { statement, values } = plainMerchants({ ...asked, scope: await scopeOf(it.db, person) })
  return [
    portalCalling(it, person, () => listAddress(asked)),
    await plainCalling(it, name, statement, values),
    ...(person === 'admin' ? directusCalling(it, () => directusList(asked)) : []),
  ]
}

/** The same page of Directus, which finds words in the column of searches as well, with its total. */
function directusList({ word, sort, page = 1 }: Asked): string {
  const query = new URLSearchParams({ limit: '10', page: String(page), meta: 'filter_count' })
  query.set('sort', sort?.replace('masteragentid', 'masteragentid.displayid') ?? 'id')
  if (word) query.set('filter[searched][_contains]', word.toLowerCase())
  return `/items/merchant?${query.toString()}`
}

const list = (name: string, goals: readonly Goal[], asked: Asked): Case => ({
  name,
  goals,
  contenders: (it) => listContenders(it, name, asked),
})

/** A page in the last tenth of what a person sees of the active merchants, in an order. */
const deepPage = (name: string, goals: readonly Goal[], sort: string): Case => ({
  name,
  goals,
  async contenders(it) {
    const asked = { sort, accountstatus: 2 }
    const answer = JSON.parse((await it.call('branch', listAddress(asked))).toString()) as {
      total_length: number
    }
    const page = Math.max(1, Math.floor((answer.total_length / 10) * 0.95))
    return listContenders(it, name, { ...asked, page }, 'branch')
  },
})

const picker = (name: string, word: (it: Environment) => string): Case => ({
  name,
  goals: [most('cpu', 5)],
  contenders: async (it) => {
    const statement = `select id, xmid, dba from merchant where searched like $1 order by xmid, id limit 20`
    const values = () => [`%${word(it).toLowerCase()}%`]
    return [
      portalCalling(it, 'admin', () => `/api/v1/merchant/ids?search=${word(it)}`),
      await plainCalling(it, name, { rows: statement }, values),
      preparedCalling(it, name, statement, values),
    ]
  },
})

const firstPage = 'merchants, page 1'

const sortedBy = sortableFields(merchant)

/** A text, a reference, a day and a long text: the orders that the short form measures. */
const shortOrders = ['dba', 'masteragentid', 'date_added', 'notes']

/** Lists, their searches and their orders, and the fields that choose a merchant. */
export const lists: Area = {
  name: 'Lists',
  where: 'each',
  cases: [
    list(firstPage, [], {}),
    {
      name: 'merchants, a far page',
      goals: [most('cpu', 5, { ofCase: firstPage })],
      contenders: async (it) => {
        const page = Math.max(1, Math.floor((it.size / 10) * 0.95))
        return listContenders(it, 'merchants, a far page', { page })
      },
    },
    picker('picker, a rare word', () => rareWord),
    picker('picker, an absent word', () => absentWord),
    picker('picker, an exact MID', (it) => xmidOf(randomId(it.size))),
    list('search, a common word', [most('cpu', 0.1, { of: 'plain' })], { word: 'approved' }),
    list('search, two letters', [most('cpu', 0.05, { of: 'plain' })], { word: 'an' }),
    list('search, a rare word', [most('cpu', 0.5, { of: 'plain' })], { word: rareWord }),
    list('search, an absent word', [], { word: absentWord }),
    ...sortedBy.flatMap((field) =>
      [
        list(`by ${field}, page 1`, [most('cpu', 5, { ofCase: firstPage })], { sort: field }),
        deepPage(`by ${field}, deep page of a branch`, [most('cpu', 5, { ofCase: firstPage })], `-${field}`),
      ].map((it) => ({
        ...it,
        listedAs: it.name.replace(`by ${field}`, `sorted by each of ${sortedBy.length} columns`),
        isInShortForm: shortOrders.includes(field),
      })),
    ),
  ],
}
