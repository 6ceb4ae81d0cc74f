import { Button } from '@blueprintjs/core'
import { InboxIcon, SearchIcon } from '@blueprintjs/icons'
import { memo, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { SnapshotFrom } from 'xstate'
import type { AllowedRecordActions } from '../../../machines/modal.machine.ts'
import { pageLinks, pageSizes } from '../../../schemas/constants.ts'
import {
  recordsTitle,
  sortableFields,
  type Column,
  type Entity,
  type Row,
} from '../../../schemas/entities/entity.ts'
import type { ImportKind } from '../../../schemas/imports/kinds.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { formatCell, isFigure } from '../../parts/format.ts'
import { SearchBox } from '../../parts/SearchBox.tsx'
import { noSelection, type RowSelection } from '../../parts/table/Checks.tsx'
import { pageAfterResize, Pager, PageSize } from '../../parts/table/Pager.tsx'
import { Table, type ExtraColumn } from '../../parts/table/Table.tsx'
import type { BulkOfList } from '../bulk/bulk.ts'
import { BulkTools } from '../bulk/BulkTools.tsx'
import { type ListAddress, maxSearchLength } from './address.ts'
import type { ListMachine } from './list.ts'
import type { ListLayout } from './list/layout.ts'
import { ListTools, type ListMachines } from './list/ListTools.tsx'

type ListProps = {
  entity: Entity
  allowed: AllowedRecordActions
  list: SnapshotFrom<ListMachine>
  address: ListAddress
  layout: ListLayout
  onReload: () => void
  extraColumn?: ExtraColumn
  /** What stands in a cell in place of its text; nothing for the text. */
  content?: ((column: Pick<Column, 'field'>, row: Row) => ReactNode) | undefined
  searchRecords?: SearchRecords
  /** Filters, views, file and print; absent where the list has its columns alone. */
  tools?: ListMachines
  /** What may be done to many records; absent where nothing may. */
  bulk?: BulkOfList | undefined
  /** The import that adds records, offered in a list without any; absent where the viewer may not use one. */
  importKind?: ImportKind | undefined
}

/** The rows of the list, or the message in place of rows (lists 6). */
const EntityTable = (props: ListProps & { selection?: RowSelection | undefined }) => {
  const { entity, allowed, list, address, layout, onReload, extraColumn, content, selection, importKind } =
    props
  const { rows, loaded } = list.context
  const { query, changeQuery, openRecord, linkTo } = address
  const hasFailed = list.matches('failed')
  const isShown = list.matches('shown')
  const columns = layout.columns.map((column) => ({
    ...column,
    width: column.width ?? undefined,
    numeric: isFigure(column),
    unsortable: !sortableFields(entity).includes(column.field),
  }))
  return (
    <Table<Row>
      label={entity.title}
      columns={columns}
      rows={hasFailed ? [] : (rows as Row[])}
      cell={(column: Column, row) =>
        content?.(column, row) ?? formatCell(column, entity.schema.properties[column.field], row)
      }
      extraColumn={extraColumn}
      selection={selection}
      compact={layout.density === 'compact'}
      onResize={layout.resize}
      sort={query.sort}
      onSort={(sort) => changeQuery({ sort, page: 1 })}
      link={allowed.open ? (row) => linkTo(row.id) : entity.list.elsewhere}
      onOpen={allowed.open ? (row) => openRecord(row.id) : undefined}
      skeletonRows={loaded || hasFailed ? 0 : query.size}
      stale={loaded && !isShown && !hasFailed}
      emptyState={
        hasFailed ? (
          <LoadFailure what="The list" onReload={onReload} />
        ) : isShown && rows.length === 0 ? (
          <EmptyList {...{ entity, allowed, address, importKind }} />
        ) : undefined
      }
    />
  )
}

type EmptyListProps = Pick<ListProps, 'entity' | 'allowed' | 'address' | 'importKind'>

const EmptyList = ({ entity, allowed, address, importKind }: EmptyListProps) => {
  const { query, changeQuery, openRecord } = address
  // Of a search and filters that leave no record, the search is cleared first.
  const narrowed = query.search === '' ? 'filter' : 'search'
  const isSearch = narrowed === 'search'
  const create = allowed.create && (
    <Button intent="primary" text={`Create ${entity.noun}`} onClick={() => openRecord('new')} />
  )
  return query[narrowed] !== '' ? (
    <EmptyState
      title={isSearch ? `Nothing matches “${query.search}”` : 'No record passes the filters'}
      icon={<SearchIcon size={32} />}
      action={
        <>
          <Button
            text={isSearch ? 'Clear search' : 'Clear filters'}
            onClick={() => changeQuery({ [narrowed]: '', page: 1 })}
          />
          {create}
        </>
      }
    >
      {isSearch
        ? 'Check the spelling, or search for less of it.'
        : 'Choose other values, or leave a filter out.'}
    </EmptyState>
  ) : (
    <EmptyState
      title={`No ${recordsTitle(entity).toLowerCase()} yet`}
      icon={<InboxIcon size={32} />}
      action={
        <>
          {create}
          {importKind && <Link to={importKind.path}>{importKind.title}</Link>}
        </>
      }
    >
      {!allowed.create && (entity.list.whenEmpty ?? 'They appear here once somebody has added them.')}
    </EmptyState>
  )
}

/**
 * The list of one entity: search, page size, table and pager. It stays as it is drawn while only the dialog
 * before it changes, with each key that is typed there.
 */
export const EntityList = memo((props: ListProps) => {
  const { entity, list, address, layout, searchRecords, tools, bulk } = props
  const [selection, setSelection] = useState<RowSelection>(noSelection)
  const { query, changeQuery } = address
  const title = recordsTitle(entity)
  const machines = bulk && tools?.bulk?.(entity)
  const pageSize = (
    <PageSize
      size={query.size}
      sizes={pageSizes}
      onChange={(size) => changeQuery({ size, page: pageAfterResize(query.page, query.size, size) })}
    />
  )
  return (
    <>
      <div className="list-tools">
        {!entity.list.unsearched && (
          <SearchBox
            label={`Search ${title}`}
            placeholder={`Search ${title}`}
            maxLength={maxSearchLength}
            value={query.search}
            onChange={(search) => changeQuery({ search, page: 1 }, { replace: true })}
          />
        )}

        <ListTools
          {...{ entity, address, layout, searchRecords }}
          total={list.context.total}
          machines={tools}
        />
        {!machines && pageSize}
      </div>
      {bulk && machines && (
        <div className="list-selecting">
          {pageSize}
          <BulkTools
            {...{ entity, list, bulk, searchRecords, machines }}
            foundBy={query}
            onReload={props.onReload}
            onSelection={setSelection}
          />
        </div>
      )}
      <EntityTable {...props} selection={bulk && selection} />
      <Pager
        page={query.page}
        size={query.size}
        total={list.context.total}
        shown={list.context.shown}
        links={pageLinks}
        plain={entity.list.pager === 'plain'}
        href={(page) => address.queryLocation({ page })}
      />
    </>
  )
})
