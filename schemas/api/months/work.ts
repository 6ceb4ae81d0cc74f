import { boolean, integer, number, numberOrNull, objectOf, string, type ShapeOf } from '../../shapes.ts'

/** A file that was imported for a month (cockpit 2). */
export const monthFile = objectOf({
  processor: string,
  /** The number of its import. */
  batch: integer,
  filename: string,
  username: string,
  /** Epoch seconds. */
  at: integer,
  /** Its rows that count: 0 when a later file replaced all of them. */
  rows: integer,
})
export type MonthFile = ShapeOf<typeof monthFile>

/** What was typed from a processor's statement (months 11); `statednet` is dollars. */
export const typedStatement = objectOf({
  id: integer,
  version: integer,
  processor: string,
  statednet: numberOrNull,
  nofile: boolean,
})
export type TypedStatement = ShapeOf<typeof typedStatement>

/** What the lock in force copied, in dollars: net = shares + house (cockpit 5). */
export const lockedFigures = objectOf({
  username: string,
  /** Epoch seconds. */
  at: integer,
  hash: string,
  /** MIDs of the files that are in the portfolio. */
  merchants: integer,
  net: number,
  /** What the agents earn of the net: own and override. */
  shares: number,
  house: number,
  /** To all agents but office accounts. */
  due: number,
})
export type LockedFigures = ShapeOf<typeof lockedFigures>
