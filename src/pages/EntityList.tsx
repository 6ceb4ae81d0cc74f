import { pageLinks, pageSizes } from '../../schemas/constants.ts'
import { Pager } from '../parts/Pager.tsx'
import { pageAfterResize } from '../parts/pages.ts'
import { PageSize } from '../parts/PageSize.tsx'
import { SearchBox } from '../parts/SearchBox.tsx'
import { searchLength } from './address.ts'
import { EntityTable, type ListProps } from './EntityTable.tsx'

/** The list of one entity with what moves through it: search, page size, table, pager. */
export const EntityList = (props: ListProps) => {
  const { entity, found, address } = props
  const { query, go } = address
  return (
    <>
      <div className="list-tools">
        {entity.list.search.length > 0 && (
          <SearchBox
            label={`Search ${entity.title}`}
            hint={`Search ${entity.title}`}
            most={searchLength}
            value={query.search}
            onChange={(search) => go({ search, page: 1 }, { replace: true })}
          />
        )}
        <PageSize size={query.size} sizes={pageSizes} onChange={(size) => go({ size, page: pageAfterResize(query.page, query.size, size) })} />
      </div>
      <EntityTable {...props} />
      <Pager
        page={query.page}
        size={query.size}
        total={found.context.total}
        links={pageLinks}
        plain={entity.list.pager === 'plain'}
        href={(page) => address.queryTo({ page })}
      />
    </>
  )
}
