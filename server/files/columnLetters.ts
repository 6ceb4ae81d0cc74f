/** The letters of a spreadsheet's column, counted from 0: 'A' of 0, 'AA' of 26. */
export const columnLetters = (index: number): string =>
  (index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
