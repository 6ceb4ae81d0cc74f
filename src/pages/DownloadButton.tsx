import { Button, type ButtonProps } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import type { downloadMachine } from '../../machines/download.machine.ts'
import { useGiven } from '../actorOptions.ts'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'title'> & { machine: typeof downloadMachine; /** Which file. */ id: string; text: string }

/** Fetches a file the server makes, and saves it under the name it is given. */
export const DownloadButton = ({ machine, id, ...look }: Props) => {
  const [snapshot, send] = useActor(machine, { ...useGiven(), input: { id } })
  return <Button {...look} icon={<DownloadIcon />} loading={snapshot.matches('downloading')} onClick={() => send({ type: 'download' })} />
}
