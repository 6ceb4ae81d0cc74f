/** Escapes the wildcards of LIKE in a text. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/**
 * SQL of a text as searches compare it and reports sort by it: in small letters and without accents
 * (migration 055, lists 14, reports 42).
 */
export const searchText = (text: string) => `search_text(${text})`
