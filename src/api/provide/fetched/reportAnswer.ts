import { columnKinds, type ReportColumn, type ReportResult } from '../../../../schemas/api/reports.ts'

/** A column as a server may send it: by its name alone, or without heading and kind. */
type SentColumn = string | (Pick<ReportColumn, 'name'> & Partial<ReportColumn>)

const wholeColumn = (sent: SentColumn): ReportColumn => {
  const column = typeof sent === 'string' ? { name: sent } : sent
  const kind = columnKinds.find((one) => one === column.datatype) ?? 'text'
  return { ...column, displayname: column.displayname ?? column.name, datatype: kind }
}

/** The answer with its columns whole: without a heading the name is one, without a known kind it is text. */
export const readResult = (answer: ReportResult): ReportResult => ({
  ...answer,
  columns: answer.columns.map(wholeColumn),
})
