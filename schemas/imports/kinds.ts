import { allOf, holds, seesAllAgents, reasonOf, type Rule, type Viewer } from '../permissions.ts'

/** A kind of import as the menu and messages name it. */
export type ImportKind = {
  /** The name in the API: /api/v1/file/{name}. */
  name: string
  /** For messages: 'No {noun} row was found'. */
  noun: string
  title: string
  path: string
  /** Its files speak of all branches at once: only for those who see all master agents (imports 1). */
  seesAllAgents?: true
}

/**
 * The kinds of import in the order of the menu, from which menu items and screens are made. Their columns are
 * not here, which would come with the menu into the first load (decision 32).
 */
export const importKinds = {
  merchant: {
    name: 'merchant',
    noun: 'merchant',
    title: 'Import Merchants',
    path: '/import/merchants',
  },
  pcicompliance: {
    name: 'pcicompliance',
    noun: 'PCI compliance',
    title: 'Import PCI Compliance',
    path: '/import/pcicompliance',
  },
  chargeback: {
    name: 'chargeback',
    noun: 'chargeback',
    title: 'Import Chargebacks',
    path: '/import/chargeback',
  },
  tinvalidation: {
    name: 'tinvalidation',
    noun: 'TIN validation',
    title: 'Import TIN Validation',
    path: '/import/tinvalidation',
  },
  compdata: {
    name: 'compdata',
    noun: 'compensation',
    title: 'Import Comp Data',
    path: '/import/compensation',
    seesAllAgents: true,
  },
  dailyvolume: {
    name: 'dailyvolume',
    noun: 'volume',
    title: 'Import Daily Volume',
    path: '/import/volume',
  },
} as const satisfies Record<string, ImportKind>
export type ImportName = keyof typeof importKinds
export const isImportName = (name: string): name is ImportName => Object.hasOwn(importKinds, name)

const importer = holds('import_files')
const importerOfAll = allOf(importer, seesAllAgents)
/** Who may use the screen and the calls of a kind of import (imports 1). */
export const importRule = (kind: ImportKind): Rule => (kind.seesAllAgents ? importerOfAll : importer)
/** Why somebody may not use a kind of import; null for a person who may. */
export function importRefusal(kind: ImportKind, viewer: Viewer): string | null {
  const rule = importRule(kind)
  return rule(viewer) ? null : reasonOf(rule, viewer)
}
