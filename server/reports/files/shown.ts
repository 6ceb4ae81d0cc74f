import type { ReportFigure, ReportRow } from '../../../schemas/api/reports.ts'
import type { Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { lockReply } from '../../money/lockReply.ts'
import type { OpenReport } from '../engine/openReport.ts'
import { recordLinker } from '../engine/recordLinks.ts'
import type { Report } from '../engine/report.ts'

/**
 * What the screen is answered, as JSON batch by batch (reports 10). Each row stands on a line of its own, by
 * which the page divides the text.
 */
export async function* shownReport(
  { tx, caller, report }: { tx: Tx; caller: Caller; report: Report },
  opened: OpenReport,
): AsyncGenerator<string> {
  const links = recordLinker({ tx, caller }, opened.columns)
  const columns = opened.columns.map(({ total: _total, record: _record, ...column }) => ({
    ...column,
    ...(links.fields[column.name] !== undefined && { link: links.fields[column.name] }),
  }))
  yield `{"columns":${JSON.stringify(columns)},"data":[\n`
  let written = 0
  for await (const rows of opened.rows) {
    await links.add(rows)
    yield (written === 0 ? '' : ',\n') + rows.map((row) => JSON.stringify(row)).join(',\n')
    written += rows.length
  }
  const [totals, count] = [opened.totals(), opened.count()]
  const rest = JSON.stringify({
    totals,
    notes: [...(count > written ? [truncationNote(written, count)] : []), ...opened.notes],
    lock: opened.lock && lockReply(opened.lock),
    figure: figureOf(report, totals, count),
    sections: report.sections ?? [],
    links: opened.links,
  })
  yield `\n],${rest.slice(1)}`
}

/** The figure a report is for (reports 37); `count` is the number of all its rows. */
function figureOf({ figure, columns }: Report, totals: ReportRow | null, count: number): ReportFigure {
  const { words } = figure
  const column = columns.find(({ name }) => name === figure.column)
  return column
    ? { words, value: totals?.[column.name] ?? null, datatype: column.datatype, column: column.name }
    : { words, value: count, datatype: 'count' }
}

const truncationNote = (written: number, count: number) =>
  `${written.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} rows are shown, ` +
  'the totals are of all: download the report for the rest'
