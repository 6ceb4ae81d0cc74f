import { list, record, text, textOrNull, whole } from './replies.ts'

/** GET /api/v1/profit: newest first; `processdate` is epoch seconds of a UTC midnight, `amount` dollars. */
export const profitReply = record({ data: list(record({ processdate: whole, amount: { type: 'number' } })) })
export type ProfitDay = { processdate: number; amount: number }
/** The chart shows this many of the latest days that have figures. */
export const profitDays = 30

/** GET /api/v1/portal: what the shell shows from configuration. */
export type ExternalLink = { title: string; link: string }
export type PortalSettings = {
  links: ExternalLink[]
  store: string | null
  training: string | null
  /** The script of the help desk's widget. */
  widget: string | null
}
export const portalReply = record({
  links: list(record({ title: text, link: text })),
  store: textOrNull,
  training: textOrNull,
  widget: textOrNull,
})
