import { Button, Dialog, DialogBody, DialogFooter, HTMLTable, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  auditActions,
  auditRecords,
  type AuditAction,
  type AuditDetail,
} from '../../../schemas/api/audit/audit.ts'
import { formatLocalDateTime } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import type { AuditMachines } from './machines.ts'

type Props = { id: number; machineOf: AuditMachines['entry']; onClose: () => void }

/** One entry: who, when, from where, and the values before and after (permissions 12). */
export const AuditEntry = ({ id, machineOf, onClose }: Props) => {
  const [machine] = useState(() => machineOf(id))
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  useFocusBack()
  const entry = snapshot.context.result as AuditDetail | null
  return (
    <Dialog
      isOpen
      className="dialog-large"
      title={`Entry ${id}`}
      shouldReturnFocusOnClose={false}
      onClose={onClose}
      transitionDuration={100}
    >
      <DialogBody>
        {entry ? (
          <EntryDetail entry={entry} />
        ) : snapshot.matches('failed') ? (
          <p role="alert">
            The entry could not be loaded. <Button text="Try again" onClick={() => send({ type: 'load' })} />
          </p>
        ) : (
          <Spinner className="dialog-loading" aria-label="Loading" />
        )}
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </Dialog>
  )
}

const EntryDetail = ({ entry }: { entry: AuditDetail }) => (
  <div className="audit-entry">
    <p className="audit-what">{entry.what}</p>
    <dl>
      <dt>Time</dt>
      <dd>{formatLocalDateTime(entry.at)}</dd>
      <dt>Person</dt>
      <dd>{entry.username || 'Unknown'}</dd>
      <dt>Address</dt>
      <dd>{entry.address}</dd>
      <dt>Kind</dt>
      <dd>{auditActions[entry.action as AuditAction] ?? entry.action}</dd>
      <dt>Record</dt>
      <dd>{entry.path === null ? entry.record : <Link to={entry.path}>{entry.record}</Link>}</dd>
    </dl>
    {Object.hasOwn(auditRecords, entry.entity) && entry.entityid !== '' && (
      <p>
        <Link to={{ search: `?${historyQuery(entry.entity, entry.entityid)}` }}>
          {`History of ${entry.record}`}
        </Link>
      </p>
    )}
    {entry.changes.length > 0 && <ChangeTable changes={entry.changes} />}
  </div>
)

/** The query of the entries about one record. */
export const historyQuery = (record: string, recordid: string | number) =>
  new URLSearchParams({ record, recordid: String(recordid) }).toString()

const ChangeTable = ({ changes }: Pick<AuditDetail, 'changes'>) => (
  <div className="table-scroll" role="region" aria-label="Values before and after" tabIndex={0}>
    <HTMLTable compact striped>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ title, before, after }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  </div>
)
