import { Link } from 'react-router-dom'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { filterColumns, referringPath } from '../../../../schemas/entities/filters.ts'
import { entities } from '../../../../schemas/entities/index.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'

/** The lists that can be filtered by a record of this entity, of those that the viewer may see. */
export const referringLists = (
  entity: Entity,
  viewer: Viewer,
  id: number,
): { text: string; path: string }[] =>
  Object.values(entities)
    .filter((other) => other.access.list(viewer))
    .flatMap((other) =>
      filterColumns(other)
        .filter(({ kind, property }) => kind === 'reference' && property.to === entity.name)
        .map(({ column }) => ({
          text: other.title.replace(/^Manage /, ''),
          path: referringPath(other, column.field, id),
        })),
    )

/** Links to the lists of what refers to this record: the merchants of an agent and the like (lists 15). */
export const ReferringLists = ({ entity, viewer, id }: { entity: Entity; viewer: Viewer; id: number }) => {
  const lists = referringLists(entity, viewer, id)
  if (lists.length === 0) return null
  return (
    <nav className="referring-lists" aria-label={`Lists of this ${entity.noun}`}>
      <span>{`Lists of this ${entity.noun}:`}</span>
      {lists.map(({ text, path }) => (
        <Link key={path} to={path}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
