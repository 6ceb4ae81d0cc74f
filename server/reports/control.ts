import { monthSource } from '../money/relations.ts'
import { everyone } from '../../schemas/permissions.ts'
import { month } from './monthInput.ts'
import { count, money, placeholders, report, text } from './report.ts'
import { within } from '../scope.ts'

/** What each processor's files hold, beside what its statement says. Whoever sees a branch alone is told of its merchants alone. */
export const control = report({
  id: 'processor-control-totals',
  name: 'Processor Control Totals',
  allow: everyone,
  published: true,
  inputs: { month },
  columns: [
    text('processor', 'Processor', { text: 'Total' }),
    text('files', 'File'),
    count('lines', 'Rows', 'sum'),
    count('txncount', 'Transactions', 'sum'),
    money('sales', 'Volume', 'sum'),
    money('income', 'Income', 'sum'),
    money('expense', 'Expenses', 'sum'),
    money('net', 'Net', 'sum'),
    money('statednet', 'Stated Net', 'sum'),
    money('difference', 'Difference', 'sum'),
    text('note', 'Note'),
  ],
  async answer({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, put } = placeholders(source.values)
    const [mine, at] = [put(scope), put(inputs.month)]
    const rows = `
      with recursive ${source.ctes},
      held as (
        select processor, count(*) as lines, sum(txncount) as txncount, sum(sales) as sales, sum(income) as income,
          sum(expense) as expense, sum(net) as net
        from merchant_month where ${within(mine, 'masteragentid')} group by processor),
      stated as (select processor, statednet, nofile, note from processor_statement where month = ${at}::date and ${mine}::int[] is null),
      file as (
        select r.processor, string_agg(distinct b.filename, ', ' order by b.filename) as files
        from residual r join import_batch b on b.id = r.batchid
        where r.month = ${at}::date and ${mine}::int[] is null
        group by r.processor)
      select processor, f.files, coalesce(h.lines, 0) as lines, coalesce(h.txncount, 0) as txncount, coalesce(h.sales, 0) as sales,
        coalesce(h.income, 0) as income, coalesce(h.expense, 0) as expense, coalesce(h.net, 0) as net,
        s.statednet, coalesce(h.net, 0) - s.statednet as difference,
        concat_ws('; ', case when s.nofile then 'No file this month' end, nullif(s.note, '')) as note
      from held h full join stated s using (processor) left join file f using (processor)
      order by processor`
    return { sql: rows, values, lock: source.lock }
  },
})
