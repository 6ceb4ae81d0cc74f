/** What reading a cell gives: the text to store, null for a blank cell, or what is wrong with it. */
export type CellReading = string | null | { fault: string }

export const cellFault = (message: string) => ({ fault: message })
