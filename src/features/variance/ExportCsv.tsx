import { useSelector } from '@xstate/react'
import { useState } from 'react'
import { BusyButton } from '../../parts/BusyButton.tsx'
import { useDownloads } from '../../parts/downloads.ts'
import type { PanelProps } from './answer.ts'

type Props = PanelProps & { of: 'compareFile' | 'missingFile'; query: object }

/** Downloads every row of what is chosen, not the shown page alone (variance 11). */
export const ExportCsv = ({ month, machines, of, query }: Props) => {
  const [machine] = useState(() => machines.file(month, of))
  const actor = useDownloads(machine)(JSON.stringify(query))
  const isRunning = useSelector(actor, (snapshot) => snapshot.matches('downloading'))
  return <BusyButton text="Export CSV" isBusy={isRunning} onClick={() => actor.send({ type: 'download' })} />
}
