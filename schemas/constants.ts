/** Times are in milliseconds (constants 1). */
export const portalName = 'Technology Portal'
export const renewInterval = 300_000
/** How long the message of a successful import is shown. */
export const importMessage = 5_000
/** Time between two requests for the progress of an import. */
export const progressInterval = 500
/** The wait after the last key before a list or a picker is searched (constants 1). */
export const searchDebounce = 300
export const pickerDebounce = 700
/** Time between two checks whether the script of the help desk's widget is ready. */
export const readinessPoll = 10
export const pageSizes = [10, 25, 50, 100] as const
export const defaultPageSize = 10
/** The longest `filter` of an address, in characters (constants 2). */
export const maxFilterLength = 1000
/** The longest `columns` of an address, in characters (constants 2). */
export const maxColumnsLength = 1000
/** Widths of the columns of a list, in pixels; the arrow keys change a width by `step` (lists 18). */
export const columnWidths = { min: 60, max: 600, step: 20 }
/** The most rows of a printed list (constants 2). */
export const maxPrintedRows = 5000
/** The most records that are changed at once, unless the operator sets fewer (constants 2, operations 4). */
export const maxBulkRecords = 10_000
/** Page numbers shown at a time under a list (constants 2). */
export const pageLinks = 5
export const passwordPlaceholder = '*'.repeat(10)
export const uploadTypes = ['.csv', '.xlsx', '.xls'] as const
/** Letters, digits, spaces, hyphens or underscores, then a known extension (constants 3, imports 2). */
export const fileNamePattern = /^[A-Za-z0-9 _-]+\.(csv|xlsx|xls)$/
/** Length of a password in characters (session 12). */
export const passwordLength = { min: 12, max: 128 }
/**
 * Length of the reason for a reopening, a waiver, or the begin or end of a hold, in characters (months 9,
 * 10).
 */
export const reasonText = { min: 1, max: 1000 }
/**
 * Length of the text of a decision about a record (how it was confirmed, or why rejected), in characters
 * (agents 11).
 */
export const decisionText = { min: 3, max: 1000 }
export const maxLinks = 12
/** The number of digits of a lock's hash that are shown; the tooltip has the whole hash. */
export const shownHashDigits = 12
/** Months on the home page of an agent's users (constants 2). */
export const ownHomeMonths = 12
/** Open tickets on the home page of an agent's users (constants 2). */
export const openTicketsShown = 5
