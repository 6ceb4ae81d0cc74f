/**
 * Whether a spreadsheet could take this text for a formula, also in full-width forms and behind blanks
 * (reports 12).
 */
export const looksLikeFormula = (text: string): boolean =>
  /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/.test(text)

/** The text, behind an apostrophe if a spreadsheet could take it for a formula (reports 12). */
export const escapeFormula = (text: string): string => (looksLikeFormula(text) ? `'${text}` : text)

/** The text of a cell without the apostrophe that `escapeFormula` puts before it (imports 23). */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && looksLikeFormula(text.slice(1)) ? text.slice(1) : text
