import { arrayOf, integer, number, objectOf, string, stringOrNull, type ShapeOf } from '../shapes.ts'

const profitDay = objectOf({
  /** Epoch seconds of a UTC midnight. */
  processdate: integer,
  /** Dollars. */
  amount: number,
})
/** GET /api/v1/profit: the newest day first. */
export const profitReply = objectOf({ data: arrayOf(profitDay) })
export type ProfitDay = ShapeOf<typeof profitDay>
/** At most this many days are answered: the latest that have figures. */
export const profitDays = 30

const externalLink = objectOf({ title: string, link: string })
/** GET /api/v1/portal: the configured parts of the shell. */
export const portalReply = objectOf({
  links: arrayOf(externalLink),
  store: stringOrNull,
  training: stringOrNull,
  /** The address of the script of the help desk's widget. */
  widget: stringOrNull,
  /** What administrators read of the backups; null for others. */
  backup: stringOrNull,
})
export type ExternalLink = ShapeOf<typeof externalLink>
export type PortalSettings = ShapeOf<typeof portalReply>
