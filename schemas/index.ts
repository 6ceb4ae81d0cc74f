import type { Entity } from './entity.ts'
import { merchant } from './merchant.ts'

/** The registry: every entity of the portal, in the order of the Manage menu. */
export const entities: Readonly<Record<string, Entity>> = { merchant }
