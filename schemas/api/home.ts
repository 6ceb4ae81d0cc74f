import { arrayOf, objectOf, string, stringOrNull, integer } from './replies.ts'

/**
 * GET /api/v1/profit: the newest day first; `processdate` is epoch seconds of a UTC midnight, `amount`
 * dollars.
 */
export const profitReply = objectOf({
  data: arrayOf(objectOf({ processdate: integer, amount: { type: 'number' } })),
})
export type ProfitDay = { processdate: number; amount: number }
/** At most this many days are answered: the latest that have figures. */
export const profitDays = 30

/** GET /api/v1/portal: the configured parts of the shell. */
export type ExternalLink = { title: string; link: string }
export type PortalSettings = {
  links: ExternalLink[]
  store: string | null
  training: string | null
  /** The address of the script of the help desk's widget. */
  widget: string | null
}
export const portalReply = objectOf({
  links: arrayOf(objectOf({ title: string, link: string })),
  store: stringOrNull,
  training: stringOrNull,
  widget: stringOrNull,
})
