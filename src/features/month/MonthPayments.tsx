import type { DownloadMachine } from '../../parts/downloads.ts'
import { DifferenceList } from '../payouts/DifferenceList.tsx'
import { MonthRun, StepButtons } from '../payouts/MonthRun.tsx'
import type { MonthActor } from '../payouts/payouts.ts'
import { ReadReturnFile, type ReturnFile } from '../payouts/ReturnFile.tsx'

type Props = MonthActor & { file: DownloadMachine; returnFile: ReturnFile }

/** The run of a locked month with its steps, or what differs in one that was opened again (cockpit 6). */
export const MonthPayments = ({ snapshot, send, file, returnFile }: Props) => {
  const { payout, differences, month } = snapshot.context.view
  return (
    <>
      {payout && (
        <>
          <StepButtons {...{ snapshot, send, payout }} />
          <MonthRun {...{ snapshot, send, payout, file }} />
        </>
      )}
      {month && payout && payout.releases.length > 0 && (
        <ReadReturnFile
          returnFile={returnFile}
          onBooked={() => send({ type: 'choose', month: month.month })}
        />
      )}
      {differences && <DifferenceList {...{ snapshot, send, differences }} />}
    </>
  )
}
