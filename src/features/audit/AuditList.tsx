import { Button } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import { maxPagedEntries, type AuditEntryRow } from '../../../schemas/api/audit/audit.ts'
import { pageLinks, pageSizes } from '../../../schemas/constants.ts'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { formatCount, formatLocalDateTime } from '../../parts/format.ts'
import { SearchBox } from '../../parts/SearchBox.tsx'
import { pageAfterResize, Pager, PageSize } from '../../parts/table/Pager.tsx'
import { Table } from '../../parts/table/Table.tsx'
import { maxSearchLength, type ListAddress } from '../entity/address.ts'
import { useList } from '../entity/list.ts'
import type { Chosen } from './filters.ts'
import type { AuditMachines } from './machines.ts'

const columns = [
  { field: 'at', head: 'Time', unsortable: true },
  { field: 'username', head: 'Person', unsortable: true },
  { field: 'what', head: 'What', unsortable: true },
  { field: 'address', head: 'Address', unsortable: true },
]

const cellText = ({ field }: { field: string }, row: AuditEntryRow): string => {
  if (field === 'at') return formatLocalDateTime(row.at)
  if (field === 'username') return row.username || 'Unknown'
  return field === 'what' ? row.what : row.address
}

type Props = {
  machineOf: AuditMachines['list']
  chosen: Chosen
  address: ListAddress
  onClear: () => void
}

/** The entries that pass the filters, newest first. Made again for other filters. */
export const AuditList = ({ machineOf, chosen, address, onClear }: Props) => {
  const [machine] = useState(() => machineOf(chosen))
  const [list, send] = useList(machine, address)
  const { query, changeQuery, openRecord, linkTo } = address
  const { rows, loaded, total } = list.context
  const hasFailed = list.matches('failed')
  const isShown = list.matches('shown')
  return (
    <>
      <div className="list-tools">
        <SearchBox
          label="Search the audit"
          placeholder="Search persons, numbers and values"
          maxLength={maxSearchLength}
          value={query.search}
          onChange={(search) => changeQuery({ search, page: 1 }, { replace: true })}
        />
        <PageSize
          size={query.size}
          sizes={pageSizes}
          onChange={(size) => changeQuery({ size, page: pageAfterResize(query.page, query.size, size) })}
        />
      </div>
      <Table<AuditEntryRow>
        label="Audit"
        columns={columns}
        rows={hasFailed ? [] : (rows as AuditEntryRow[])}
        cell={cellText}
        sort=""
        onSort={() => {}}
        link={(row) => linkTo(row.id)}
        onOpen={(row) => openRecord(row.id)}
        skeletonRows={loaded || hasFailed ? 0 : query.size}
        stale={loaded && !isShown && !hasFailed}
        emptyState={
          hasFailed ? (
            <LoadFailure what="The audit" onReload={() => send({ type: 'reload' })} />
          ) : isShown && rows.length === 0 ? (
            <NoEntry onClear={onClear} />
          ) : undefined
        }
      />
      {total >= maxPagedEntries && (
        <p className="audit-limit">
          {`The newest ${formatCount(maxPagedEntries)} entries are shown: choose filters, or export all.`}
        </p>
      )}
      <Pager
        page={query.page}
        size={query.size}
        total={total}
        shown={list.context.shown}
        links={pageLinks}
        href={(page) => address.queryLocation({ page })}
      />
    </>
  )
}

const NoEntry = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title="No entry passes these filters"
    icon={<SearchIcon size={32} />}
    action={<Button text="Clear filters" onClick={onClear} />}
  >
    Choose other days, or leave a filter out.
  </EmptyState>
)
