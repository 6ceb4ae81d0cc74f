import { secondsInDay } from '../../schemas/dates.ts'

/** The number of 1970-01-01 in a spreadsheet whose day 1 is 1900-01-01. */
const epochSerial = 25_569

/** The number by which a spreadsheet stores a day; `seconds` since the epoch. */
export const serialDay = (seconds: number): number => seconds / secondsInDay + epochSerial

/** The midnight, in seconds since the epoch, at which the day of a serial number begins. */
export const serialDayStart = (serial: number): number => (Math.floor(serial) - epochSerial) * secondsInDay
