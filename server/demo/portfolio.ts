import { escapeIdentifier } from 'pg'
import { secondsInDay } from '../../schemas/dates.ts'
import type { Sql } from '../db/db.ts'
import { encrypt } from '../db/encryption.ts'
import {
  endings,
  firstNames,
  businessTypes,
  lastNames,
  offices,
  places,
  products,
  random,
  type Random,
  statuses,
  streets,
  towns,
  trades,
} from './random.ts'
import { recordAdded } from './recordAdded.ts'

type Row = { [column: string]: unknown }

/** Inserts rows that all have the same columns, a thousand in one statement. */
async function insertRows(sql: Sql, table: string, rows: Row[]) {
  const name = escapeIdentifier(table)
  const columns = Object.keys(rows[0] ?? {})
    .map(escapeIdentifier)
    .join(', ')
  for (let at = 0; at < rows.length; at += 1000)
    await sql.query(
      `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1)`,
      [JSON.stringify(rows.slice(at, at + 1000))],
    )
}

/** 60 agents: 1 is the office account, 2 to 9 its children, and two levels below them. */
const agents = (draw: Random): Row[] =>
  Array.from({ length: 60 }, (_, index) => {
    const id = index + 1
    const parentid = id === 1 ? null : id <= 9 ? 1 : id <= 33 ? 2 + ((id - 10) % 8) : 10 + ((id - 34) % 24)
    const level = id === 1 ? 0 : id <= 9 ? 1 : id <= 33 ? 2 : 3
    return {
      id,
      name:
        id === 1 ? 'House Account' : `${places[index % places.length]} ${offices[Math.floor(index / 10)]}`,
      parentid,
      percentagecommissionreceived: id === 1 ? null : id === 40 ? 75 : 80 - level * 15,
      amountcommissionreceived: draw.chance(0.3) ? draw.integer(1, 10) : null,
      isofficeaccount: id === 1,
      payoninactive: draw.chance(0.5),
      commissionnoteditable: id === 5,
      businessname: id === 1 ? '' : `${places[index % places.length]} Holdings`,
    }
  })

/** Unique: the last five digits are the index. */
const merchantId = (draw: Random, index: number) => {
  const length = [11, 12, 15, 16][index % 4]!
  const start = index % 50 === 0 ? '00' : `4${draw.integer(0, 9)}`
  return `${start}${draw.digits(length - 7)}${String(index).padStart(5, '0')}`
}

/** 3,000 merchants: ids of 11, 12, 15 and 16 digits, some with leading zeros; 8 % inactive. */
const merchants = (draw: Random, today: number): Row[] =>
  Array.from({ length: 3000 }, (_, index) => {
    const [city, state] = draw.pick(towns)
    const added = today - draw.integer(20, 900) * secondsInDay
    const accountstatus = draw.chance(0.08) ? 3 : draw.chance(0.05) ? 1 : 2
    return {
      id: index + 1,
      xmid: merchantId(draw, index),
      dba: `${draw.pick(places)} ${draw.pick(trades)}${draw.pick(endings)}`,
      businesstype: draw.pick(businessTypes),
      product: draw.pick(products),
      dbaaddress: `${draw.integer(1, 990)} ${draw.pick(streets)}`,
      dbacity: city,
      dbastate: state,
      dbazip: draw.digits(5),
      status: accountstatus === 3 ? 'Closed' : draw.pick(statuses),
      sales_rep: `${draw.pick(firstNames)} ${draw.pick(lastNames)}`,
      masteragentid: draw.integer(2, 60),
      accountstatus,
      date_added: added,
      date_submitted: added + secondsInDay,
      date_approved: draw.chance(0.9) ? added + 3 * secondsInDay : null,
      date_received: added,
      date_closed: accountstatus === 3 ? added + draw.integer(5, 15) * secondsInDay : null,
      notes: draw.chance(0.1)
        ? `Asked to be called on ${draw.pick(['Monday', 'Friday'])};` +
          ` see the file of ${draw.pick(firstNames)}.`
        : '',
      tinstatus: draw.chance(0.9) ? 'Match' : draw.pick(['Mismatch', 'Missing', 'Error']),
      processor: draw.pick(['Aurora', 'Borealis', 'Corona']),
    }
  })

/** 60 days up to two days ago, with less volume on weekends and some refunds above the sales. */
const volume = (draw: Random, today: number, portfolio: Row[], batchid: number): Row[] => {
  const selling = portfolio.filter((merchant) => merchant.accountstatus === 2).slice(0, 150)
  const daysAgo = (days: number) => new Date((today - days * secondsInDay) * 1000)
  return Array.from({ length: 60 }, (_, index) => daysAgo(index + 2)).flatMap((date) => {
    const weekend = [0, 6].includes(date.getUTCDay())
    return selling
      .filter(() => draw.chance(weekend ? 0.35 : 0.9))
      .map((merchant) => {
        const salescount = draw.integer(1, 60)
        const sales = salescount * draw.integer(500, 9000)
        const refund = draw.chance(0.01) ? sales + 1000 : draw.chance(0.1) ? Math.floor(sales / 20) : 0
        return {
          volumedate: date.toISOString().slice(0, 10),
          xmid: merchant.xmid,
          dba: merchant.dba,
          batchnumber: null,
          salescount,
          salesamount: sales / 100,
          refundcount: refund ? 1 : 0,
          refundamount: refund / 100,
          netamount: (sales - refund) / 100,
          batchid,
          currency: 'USD',
          terminalnumber: '',
          status: '',
        }
      })
  })
}

/** A routing number that passes its checksum: the last digit makes the weighted sum divisible by 10. */
const routing = (draw: Random) => {
  const digits = `0${draw.integer(1, 9)}${draw.digits(6)}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * [3, 7, 1][at % 3]!, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Bank data of agents 2 to 58, a third of them personal accounts, and subscriptions of five agents. */
async function addBankData(sql: Sql, draw: Random, secret: Buffer) {
  // A generator of its own leaves what is drawn after it as it is.
  const drawOwner = random(20_261_122)
  for (let id = 2; id <= 58; id += 1)
    await sql.query(
      `update master_agent set routingnumber = $2, bankaccountnumber = $3, taxid = $4, taxtypeid = $5,
        isbankaccounttypechecking = $6, isbankaccounttypebusiness = $7 where id = $1`,
      [
        id,
        routing(draw),
        encrypt(secret, draw.digits(10), `master_agent.bankaccountnumber.${id}`),
        encrypt(secret, draw.digits(9), `master_agent.taxid.${id}`),
        draw.integer(1, 2),
        draw.chance(0.8),
        drawOwner.chance(2 / 3),
      ],
    )
  for (const masteragentid of [2, 3, 10, 11, 34])
    await insertRows(sql, 'collection_subscription', [
      { masteragentid, amount: draw.integer(10, 60), notes: 'Statement fee' },
      { masteragentid, amount: draw.integer(1, 9) + 0.5, notes: 'Portal access' },
    ])
}

/** 140 terminals: paid, partly paid or unpaid, their paperwork completed, requested or never requested. */
const terminals = (draw: Random, today: number): Row[] =>
  Array.from({ length: 140 }, (_, index) => {
    const cost = draw.integer(80, 400)
    const soldfor = draw.chance(0.7) ? cost + draw.integer(20, 200) : 0
    const requested = today - draw.integer(10, 700) * secondsInDay
    return {
      model: `${draw.pick(places)} ${draw.pick(['T1', 'T2', 'Go', 'Duo', 'Max'])}`,
      serialnumber: `SN${draw.digits(4)}-${String(index).padStart(4, '0')}`,
      licensingkey: draw.chance(0.6) ? `LK${draw.digits(8)}` : '',
      merchantid: draw.chance(0.8) ? draw.integer(1, 3000) : null,
      masteragentid: draw.chance(0.9) ? draw.integer(2, 60) : null,
      trackingnumber: draw.chance(0.5) ? `TR${draw.digits(10)}` : '',
      equipmentownertypeid: draw.chance(0.9) ? draw.integer(1, 3) : null,
      requestedpaperworkdate: draw.chance(0.8) ? requested : null,
      completedpaperworkdate: draw.chance(0.5) ? requested + 5 * secondsInDay : null,
      cost,
      soldfor,
      paidsofar: soldfor === 0 ? 0 : draw.chance(0.5) ? soldfor : draw.integer(0, soldfor),
      paymentterms: soldfor > 0 ? draw.pick(['Net 30', 'Six monthly rates', 'On delivery']) : '',
    }
  })

/** One file for each day of the volume, imported on the morning after. */
const divideVolume = `
  with days as (
    select volumedate, count(*) as rows, sum(salesamount) as sales, sum(refundamount) as refunds,
      sum(netamount) as net
    from daily_volume group by volumedate),
  made as (
    insert into import_batch (kind, filename, sha256, size, username, imported_at, fordate, rows, inserted,
      updated, unchanged, totals)
    select 'dailyvolume', 'Daily volume ' || volumedate || '.csv',
      encode(sha256(convert_to('volume ' || volumedate, 'UTF8')), 'hex'), rows * 48, 'importer',
      volumedate + interval '1 day 8 hours', volumedate, rows, rows, 0, 0,
      jsonb_build_object('rows', rows, 'sales', sales, 'refunds', refunds, 'net', net)
    from days order by volumedate returning id, fordate)
  update daily_volume v set batchid = made.id from made where made.fordate = v.volumedate`

/** Adds agents, merchants, terminals and daily volume. `today` is epoch seconds of a UTC midnight. */
export async function addPortfolio(sql: Sql, today: number, secret: Buffer) {
  const draw = random(20_261_121)
  const portfolio = merchants(draw, today)
  await insertRows(sql, 'master_agent', agents(draw))
  await insertRows(sql, 'merchant', portfolio)
  await addBankData(sql, draw, secret)
  await insertRows(sql, 'equipment', terminals(draw, today))
  const [batch] = await sql.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
     values ('dailyvolume', '', '', 0, 'importer', 0, 0, 0, 0) returning id`,
  )
  await insertRows(sql, 'daily_volume', volume(draw, today, portfolio, batch!.id))
  await sql.query(divideVolume)
  await sql.query('delete from import_batch where id = $1', [batch!.id])
  await recordAdded(sql, 'daily_volume')
  for (const table of ['master_agent', 'merchant'])
    await sql.query(
      `select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${escapeIdentifier(table)}))`,
      [table],
    )
}
