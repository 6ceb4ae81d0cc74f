import { openTicketsShown } from '../constants.ts'
import type { Viewer } from '../permissions.ts'
import {
  arrayOf,
  boolean,
  integer,
  number,
  objectOf,
  oneOf,
  orNull,
  string,
  stringOrNull,
  type ShapeOf,
} from '../shapes.ts'

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

/**
 * Whether the home page begins with the viewer's own statement. That of people of one branch, who do not see
 * all (shell 13).
 */
export const hasOwnHome = ({ masteragentid, seesall }: Pick<Viewer, 'masteragentid' | 'seesall'>): boolean =>
  masteragentid !== null && !seesall

const ownStatement = objectOf({
  /** '2026-10' */
  month: string,
  masteragentid: integer,
  displayid: string,
  name: string,
  /** Dollars, as the other amounts: what the month brought, without what was carried into it. */
  earned: number,
  due: number,
  payable: number,
  carryout: number,
  /** What the ledger holds for agent and month and did not come back. */
  paid: number,
  /** The last day on which some of it took effect, as '2026-11-05'; null where none is known. */
  effective: stringOrNull,
  hold: stringOrNull,
  isofficeaccount: boolean,
  /** Whether the money goes to another agent. */
  haspayee: boolean,
})
const ownMonth = objectOf({ month: string, earned: number, paid: number })
const ownTicket = objectOf({
  id: integer,
  subject: string,
  statusid: integer,
  /** Epoch seconds UTC. */
  created: integer,
})
/** GET /api/v1/home: what waits for a person of a master agent, of their own agent alone (shell 13). */
export const ownHomeReply = objectOf({
  /** Of the newest locked month; null before there is one. */
  statement: orNull(ownStatement),
  /** The newest locked months, oldest first. */
  months: arrayOf(ownMonth),
  /** Why the agent cannot be paid: no account was entered, or the entered one is not confirmed yet. */
  account: oneOf('known', 'missing', 'pending'),
  /** The caller's tickets that are not closed: how many, and the newest of them. */
  tickets: objectOf({ total: integer, newest: { ...arrayOf(ownTicket), maxItems: openTicketsShown } }),
})
export type OwnHome = ShapeOf<typeof ownHomeReply>
export type OwnStatement = ShapeOf<typeof ownStatement>
