/** Specification, section 9. Times in milliseconds. */
export const portalName = 'Technology Portal'
export const renewInterval = 300_000
export const importMessage = 5_000
/** How often the progress of an import is asked for. */
export const progressInterval = 500
export const searchDebounce = 300
/** Of the help desk's widget. */
export const readinessPoll = 10
export const pageSizes = [10, 25, 50, 100] as const
export const defaultSize = 10
export const pageLinks = 5
export const passwordPlaceholder = '*'.repeat(10)
export const uploadTypes = ['.csv', '.xlsx', '.xls'] as const
/** Letters, digits, spaces, hyphens or underscores, then a known ending (section 5). */
export const fileName = /^[A-Za-z0-9 _-]+\.(csv|xlsx|xls)$/
/** Decisions, section 3. */
export const passwordLength = { least: 12, most: 128 }
export const linksMost = 12
