import type { ImportName } from '../../../schemas/imports/imports.ts'
import type { Mapping } from '../../../schemas/imports/mapping/mapping.ts'

/** A mapping as it is saved for a kind of import (mapping 4). */
export type StoredMapping = { processor: string; fingerprint: string; mapping: Mapping }
/** The headings of a saved mapping, by which the kind of a file is recognised (inbox 4). */
export type HeadingsOfKind = { kind: ImportName } & Pick<Mapping, 'sheets'>
