/** GET /api/v1/profit: newest first; `processdate` is epoch seconds of a UTC midnight, `amount` dollars. */
export const profitReply = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['processdate', 'amount'],
        properties: { processdate: { type: 'integer' }, amount: { type: 'number' } },
      },
    },
  },
} as const
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
const link = {
  type: 'object',
  required: ['title', 'link'],
  properties: { title: { type: 'string' }, link: { type: 'string' } },
} as const
export const portalReply = {
  type: 'object',
  required: ['links', 'store', 'training', 'widget'],
  properties: {
    links: { type: 'array', items: link },
    store: { type: ['string', 'null'] },
    training: { type: ['string', 'null'] },
    widget: { type: ['string', 'null'] },
  },
} as const
