import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A change of one file: lines behind or before the line that contains `at`, a text in place of `at`, or, without
 * `at`, a text at the end of the file or a new file. In a text at the end '{next}' is the number of the next
 * heading.
 */
export type Edit = { file: string; at?: string; put?: 'behind' | 'before' | 'instead'; text: string }

const file = (name: string) => readFileSync(join(import.meta.dirname, 'files', name), 'utf8')
const behind = (path: string, at: string, text: string): Edit => ({ file: path, at, put: 'behind', text })
const before = (path: string, at: string, text: string): Edit => ({ file: path, at, put: 'before', text })
const instead = (path: string, at: string, text: string): Edit => ({ file: path, at, put: 'instead', text })
const fresh = (path: string, name: string): Edit => ({ file: path, text: file(name) })
const end = (path: string, name: string): Edit => ({ file: path, put: 'behind', text: file(name) })

const equipment = 'schemas/entities/equipment.ts'
const equipmentRights = 'tests/rights/equipment.ts'

/** By the heading of README's "Adding things": what somebody does who follows its steps. */
export const additions: Record<string, readonly Edit[]> = {
  'A field': [
    fresh('server/db/migrations/900_warranty.sql', 'warranty.sql'),
    behind(equipment, 'licensingkey: {', "      warranty: { ...text, title: 'Warranty' },"),
    behind(equipment, "...forFields(manage, 'model'", '      warranty: manage,'),
    instead(
      equipment,
      "{ fields: ['model', 'serialnumber',",
      "{ fields: ['model', 'warranty', 'serialnumber',",
    ),
    behind(equipment, "{ head: 'Completed Date'", "      { head: 'Warranty', field: 'warranty' },"),
    instead(equipmentRights, "['model', ", "['model', 'warranty', "),
    instead('tests/server/limits/fields.test.ts', "'model licensingkey ", "'model warranty licensingkey "),
    behind(
      'tests/journeys/columns.test.tsx',
      "    'Requested Date',\n    'Completed Date',",
      "    'Warranty',",
    ),
    instead(
      'tests/schemas/filters.test.ts',
      "requestedpaperworkdate completedpaperworkdate'",
      "requestedpaperworkdate completedpaperworkdate warranty'",
    ),
    behind('docs/product/equipment.md', '- Cost, Sold For', '  Warranty is a text that may stay empty.'),
  ],
  'An entity': [
    fresh('schemas/entities/vendor.ts', 'vendor.ts.txt'),
    behind('schemas/entities/index.ts', "from './user.ts'", "import { vendor } from './vendor.ts'"),
    behind('schemas/entities/index.ts', '  merchant,', '  vendor,'),
    fresh('server/db/migrations/901_vendor.sql', 'vendor.sql'),
    fresh('tests/rights/vendor.ts', 'vendor.rights.ts.txt'),
    behind('tests/rights/all.ts', "from './user.ts'", "import { vendor } from './vendor.ts'"),
    instead('tests/rights/all.ts', '  terms,\n].map', '  terms,\n  vendor,\n].map'),
    behind('tests/server/limits/fields.test.ts', 'longest: Record<', "  vendor: of(200, 'name city'),"),
    behind('tests/server/limits/fields.test.ts', 'unfit: Record<', "  vendor: { name: '' },"),
    behind('tests/schemas/limits.test.ts', 'needed: Record<', "  'POST /api/v1/vendor body': 'name',"),
    behind('tests/schemas/filters.test.ts', 'emptiable: Record<', "  vendor: 'masteragentid',"),
    behind(
      'tests/journeys/columns.test.tsx',
      'heads: Record<',
      "  vendor: ['Name', 'Limit', 'Master Agent'],",
    ),
    fresh('docs/product/vendors.md', 'vendors.md.txt'),
    behind(
      'docs/product/README.md',
      '- [equipment]',
      '- [vendors](vendors.md): from whom terminals are bought.',
    ),
  ],
  'A permission': [
    behind('schemas/permissions.ts', '  manage_equipment:', "  edit_cost: 'Edit the cost of terminals',"),
    behind('schemas/help/help.ts', '  manage_equipment:', "  edit_cost: 'the cost of terminals',"),
    instead(
      equipment,
      "'cost', 'soldfor', 'paidsofar', 'paymentterms'),",
      "'soldfor', 'paidsofar', 'paymentterms'),\n      cost: holds('edit_cost'),",
    ),
    instead(equipmentRights, "names: ['cost', 'soldfor'", "names: ['soldfor'"),
    behind(
      equipmentRights,
      "names: ['soldfor'",
      "    { names: ['cost'], fresh: any('edit_cost'), stored: any('edit_cost'), change: () => 97.5 },",
    ),
    instead(equipmentRights, "relevant: ['manage_equipment']", "relevant: ['manage_equipment', 'edit_cost']"),
    instead(
      'docs/product/permissions.md',
      'manage_equipment, manage_master_agents,',
      'manage_equipment, edit_cost, manage_master_agents,',
    ),
    behind(
      'docs/product/permissions.md',
      '| manage_equipment | creating',
      '| edit_cost | the cost of terminals |',
    ),
    behind(
      'docs/product/permissions.md',
      '| manage_equipment | Manage equipment |',
      '| edit_cost | Edit the cost of terminals |',
    ),
  ],
  'An import': [
    before(
      'schemas/imports/kinds.ts',
      '} as const satisfies Record<string, ImportKind>',
      file('loanKind.ts.txt'),
    ),
    before('schemas/imports/imports.ts', '/**\n * The kinds of import with', file('loan.ts.txt')),
    behind('schemas/imports/imports.ts', '  compdata,', '  loan,'),
    fresh('server/db/migrations/902_loan.sql', 'loan.sql'),
    behind('tests/rights/calls.ts', "'file.compdata':", "  'file.loan': ['import_files'],"),
    behind(
      'tests/server/imports/everyKind.test.ts',
      'tinvalidation: { head',
      "  loan: { head: ['MID', 'Loan Number', 'Principal'], row: (mid) => [mid, 'L1', '5'] },",
    ),
    behind(
      'tests/server/limits/imports.test.ts',
      'longest: Record<',
      "  loan: { MID: 32, 'Loan Number': 20 },",
    ),
    behind('tests/server/limits/imports.test.ts', 'needed: Record<', "  loan: { Principal: '1' },"),
    behind(
      'docs/product/imports.md',
      '| Import Daily Volume |',
      '| Import Loans | `/import/loans` | `POST /api/v1/file/loan` | one row a loan (imports {next}) |',
    ),
    end('docs/product/imports.md', 'loan.md.txt'),
  ],
  'A report': [
    fresh('server/reports/catalogue/terminals.ts', 'terminals.ts.txt'),
    behind(
      'server/reports/catalogue.ts',
      "from './catalogue/taxTotals.ts'",
      "import { terminals } from './catalogue/terminals.ts'",
    ),
    behind('server/reports/catalogue.ts', '  equipmentOutstanding,', '  terminals,'),
    behind(
      'tests/server/reports/scope.test.ts',
      "'equipment-outstanding': {",
      "  'terminals-by-agent': { inputs: {}, may: ['manage_equipment'] },",
    ),
    before(
      'schemas/help/reportHelp.ts',
      "  'Terms Outstanding':",
      "  'Terminals by Agent': 'How many terminals each agent has, and what they cost.',",
    ),
    before(
      'docs/product/help.md',
      '| Terms Outstanding |',
      '| Terminals by Agent | How many terminals each agent has, and what they cost. |',
    ),
    before(
      'docs/product/reports.md',
      '| Dispute Ratio | *Disputes*',
      '| Terminals by Agent | *Cost*, of Cost |',
    ),
    end('docs/product/reports.md', 'terminals.md.txt'),
  ],
}

/** The number of the heading that is added to a page. */
const nextHeading = (page: string): string => String([...page.matchAll(/^## \d+\. /gm)].length + 1)

/** The text after the edit. Throws an Error if `at` is missing or found twice. */
export function applyEdit(source: string, { file: path, at, put, text: template }: Edit): string {
  const text = template.replaceAll('{next}', () => nextHeading(source))
  if (at === undefined) return source + text
  const parts = source.split(at)
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places with ${at}`)
  if (put === 'instead') return parts.join(text)
  const found = source.indexOf(at)
  const place = put === 'before' ? found : source.indexOf('\n', found + at.length) + 1
  return `${source.slice(0, place)}${text}\n${source.slice(place)}`
}
