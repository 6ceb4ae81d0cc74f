import { useSelector } from '@xstate/react'
import { BusyButton } from '../../../parts/BusyButton.tsx'
import { useDownloads, type DownloadActor, type DownloadMachine } from '../../../parts/downloads.ts'

type Props = {
  machine: DownloadMachine
  /** What the list is asked for besides its page. */
  query: object
}

const formats = [
  ['xlsx', 'Export Excel'],
  ['csv', 'Export CSV'],
] as const

/** Downloads every row that a list is asked for, not the shown page alone (lists 16). */
export const ExportButtons = ({ machine, query }: Props) => {
  const actorOf = useDownloads(machine)
  return formats.map(([format, text]) => (
    <ExportButton key={format} actor={actorOf(JSON.stringify({ ...query, format }))} text={text} />
  ))
}

const ExportButton = ({ actor, text }: { actor: DownloadActor; text: string }) => {
  const isRunning = useSelector(actor, (snapshot) => snapshot.matches('downloading'))
  return <BusyButton text={text} isBusy={isRunning} onClick={() => actor.send({ type: 'download' })} />
}
