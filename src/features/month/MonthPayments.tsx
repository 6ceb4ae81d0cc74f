import { Link } from 'react-router-dom'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { formatMonth } from '../../parts/format.ts'
import { DifferenceList } from '../payouts/DifferenceList.tsx'
import { MonthRun } from '../payouts/MonthRun.tsx'
import type { MonthActor } from '../payouts/payouts.ts'
import { isPaid, Releases } from '../payouts/Releases.tsx'
import { ReadReturnFile, type ReturnFile } from '../payouts/ReturnFile.tsx'
import { StepButtons } from '../payouts/StepButtons.tsx'

type Props = MonthActor & { file: DownloadMachine; returnFile: ReturnFile }

/**
 * The run of a locked month with its steps, or what differs in one that was opened again, and what was
 * released of either (cockpit 6).
 */
export const MonthPayments = ({ snapshot, send, file, returnFile }: Props) => {
  const { payout, released, differences, month } = snapshot.context.view
  return (
    <>
      <StepButtons {...{ snapshot, send }} />
      {payout && <MonthRun {...{ snapshot, send, payout }} />}
      <Releases {...{ snapshot, send, released, file }} />
      {isPaid(released) && (
        <nav className="payout-reports" aria-label="Payments of the month">
          <Link to={`/payouts?month=${released.month}`}>Payments of {formatMonth(released.month)}</Link>
        </nav>
      )}
      {month && isPaid(released) && (
        <ReadReturnFile
          returnFile={returnFile}
          onBooked={() => send({ type: 'choose', month: month.month })}
        />
      )}
      {differences && <DifferenceList {...{ snapshot, send, differences }} />}
    </>
  )
}
