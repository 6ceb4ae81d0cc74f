import { Button } from '@blueprintjs/core'
import { useSelector } from '@xstate/react'
import type { AuditFilters } from '../../../schemas/api/audit/audit.ts'
import { useDownloads, type DownloadActor } from '../drive/downloads.ts'
import type { AuditMachines } from './machines.ts'

type Props = { machine: AuditMachines['download']; filters: AuditFilters }

/** Downloads every entry that passes the filters, not the shown page alone (permissions 12). */
export const AuditExport = ({ machine, filters }: Props) => {
  const actorOf = useDownloads(machine)
  const button = (format: 'xlsx' | 'csv', text: string) => (
    <ExportButton actor={actorOf(JSON.stringify({ ...filters, format }))} text={text} />
  )
  return (
    <div className="audit-export">
      {button('xlsx', 'Export Excel')}
      {button('csv', 'Export CSV')}
    </div>
  )
}

const ExportButton = ({ actor, text }: { actor: DownloadActor; text: string }) => {
  const isRunning = useSelector(actor, (snapshot) => snapshot.matches('downloading'))
  return <Button text={text} loading={isRunning} onClick={() => actor.send({ type: 'download' })} />
}
