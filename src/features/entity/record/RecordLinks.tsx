import { Link } from 'react-router-dom'
import type { StoredRecord } from '../../../../machines/modal.machine.ts'
import { recordsTitle, opensRecords, type Entity } from '../../../../schemas/entities/entity.ts'
import { entities } from '../../../../schemas/entities/index.ts'
import { filterColumns, referringPath } from '../../../../schemas/entities/lists/filters.ts'
import { merchantMonthsPath } from '../../../../schemas/entities/merchant.ts'
import { newTicketPath } from '../../../../schemas/entities/ticket.ts'
import { paymentsPath } from '../../../../schemas/paymentsPath.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { seesPayouts } from '../../../../schemas/screenRules.ts'

type NamedLink = { text: string; path: string }

/** The lists that can be filtered by a record of this entity, of those that the viewer may see. */
export const referringLists = (entity: Entity, viewer: Viewer, id: number): NamedLink[] =>
  Object.values(entities)
    .filter((other) => other.access.list(viewer))
    .flatMap((other) =>
      filterColumns(other)
        .filter(({ kind, property }) => kind === 'reference' && property.to === entity.name)
        .map(({ column }) => ({
          text: recordsTitle(other),
          path: referringPath(other, column.field, id),
        })),
    )

/**
 * Links to the records that this one refers to, such as the master agent of a merchant: to the dialog of the
 * record, or, for a viewer who may not open it, to its list, searched for its name.
 */
export const namedRecords = ({ schema }: Entity, viewer: Viewer, row: StoredRecord): NamedLink[] => {
  const labels = (row.labels ?? {}) as Readonly<Record<string, string>>
  const links = Object.entries(schema.properties).flatMap(([field, { to }]) => {
    const [id, text, named] = [row[field], labels[field], entities[String(to)]]
    if (!id || text === undefined || !named?.access.list(viewer)) return []
    const query = opensRecords(named)(viewer) ? `open=${String(id)}` : `search=${text.split(' ')[0]}`
    return [{ text, path: `${named.path}?${query}` }]
  })
  return links.filter(({ path }, index) => links.findIndex((it) => it.path === path) === index)
}

/** Links to the payments and the statements of an agent. */
const payLinks = (viewer: Viewer, { id, displayid }: StoredRecord): NamedLink[] => [
  ...(seesPayouts(viewer) ? [{ text: 'Payments', path: paymentsPath(displayid) }] : []),
  { text: 'Statements', path: `/reporting?report=agent-residual-statement&agent=${id}` },
]

/** What the portal has about a merchant, besides lists. */
const incomeLinks = ({ xmid }: StoredRecord): NamedLink[] => [
  { text: 'Income by Month', path: merchantMonthsPath(xmid) },
]

/** What a ticket calls a record: what the search of tickets is asked for, and what else its subject has. */
const namesInTickets: Readonly<
  Record<string, (row: StoredRecord) => [searched: unknown, ...rest: unknown[]]>
> = {
  merchant: ({ xmid, dba }) => [xmid, dba],
  masteragent: ({ displayid, name }) => [displayid, name],
  equipment: ({ serialnumber, model, labels }) => [
    serialnumber,
    model,
    (labels as Readonly<Record<string, string>> | undefined)?.['merchantid'],
  ],
}

/** Links to the tickets that mention a record, and to the form of a new one about it (tickets 2). */
const ticketLinks = ({ name, noun }: Entity, row: StoredRecord): NamedLink[] => {
  const names = namesInTickets[name]?.(row).filter(Boolean).map(String)
  return names?.[0]
    ? [
        {
          text: `Tickets that Mention ${names[0]}`,
          path: `/tickets?${new URLSearchParams({ search: names[0] })}`,
        },
        { text: `New Ticket about this ${noun}`, path: newTicketPath(names[0], names.join(' - ')) },
      ]
    : []
}

type Props = { entity: Entity; viewer: Viewer; row: StoredRecord }

/**
 * Links to the records that this one refers to, to the lists of those that refer to it (lists 15), and to the
 * tickets about it (tickets 2).
 */
export const RecordLinks = ({ entity, viewer, row }: Props) => (
  <>
    <LinkGroup title={`Named in this ${entity.noun}`} links={namedRecords(entity, viewer, row)} />
    <LinkGroup
      title={`Lists of this ${entity.noun}`}
      links={[
        ...referringLists(entity, viewer, row.id),
        ...(entity.name === 'masteragent' ? payLinks(viewer, row) : []),
        ...(entity.name === 'merchant' ? incomeLinks(row) : []),
      ]}
    />
    <LinkGroup title={`Support of this ${entity.noun}`} links={ticketLinks(entity, row)} />
  </>
)

export const LinkGroup = ({ title, links }: { title: string; links: readonly NamedLink[] }) =>
  links.length > 0 && (
    <nav className="record-links" aria-label={title}>
      <span>{title}:</span>
      {links.map(({ text, path }) => (
        <Link key={path} to={path}>
          {text}
        </Link>
      ))}
    </nav>
  )
