import { useActor } from '@xstate/react'
import type { PayoutRelease } from '../../../schemas/api/months/months.ts'
import { BusyButton } from '../../parts/BusyButton.tsx'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'

type Props = { machine: DownloadMachine; month: string; release: PayoutRelease }

/** Takes the bank file of a release again. */
export const ReleaseFile = ({ machine, month, release }: Props) => {
  const [snapshot, send] = useActor(machine, {
    ...useActorEnvironment(),
    input: { id: `${month}/${release.id}` },
  })
  return (
    <BusyButton
      size="small"
      variant="minimal"
      intent="primary"
      text="Take File Again"
      aria-label={`Take File Again: ${release.filename}`}
      isBusy={snapshot.matches('downloading')}
      onClick={() => send({ type: 'download' })}
    />
  )
}
