import { Button } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import {
  findingKinds,
  singlyWaivedKind,
  type Finding,
  type MonthDetail,
} from '../../../schemas/api/months/months.ts'
import { formatCount } from '../../parts/format.ts'
import { FindingGroups } from '../findings/FindingGroups.tsx'
import { takesSteps, type MonthActor } from '../payouts/payouts.ts'
import { blockingCount, blocksLock } from './monthSteps.ts'

type Props = MonthActor & { detail: MonthDetail }

/** The findings of the month by kind; warnings can be waived with a reason (cockpit 4). */
export const MonthFindings = ({ snapshot, send, detail: { month, findings, kinds } }: Props) => {
  const { allowed, view } = snapshot.context
  const canWaive = allowed.settle && view.month?.state === 'open'
  const isBusy = !takesSteps(snapshot)
  if (findings.length === 0) return <p className="payout-hint">Nothing was found.</p>
  return (
    <div className="month-findings">
      <FindingGroups
        {...{ findings, kinds }}
        ofKind={(group) =>
          canWaive && (
            <KindWaiver
              group={group}
              count={blockingCount(kinds.find(({ kind }) => kind === group[0]!.kind)!)}
              isBusy={isBusy}
              onWaive={(waived) => send({ type: 'waive', waived })}
            />
          )
        }
        ofOne={(finding) => (
          <>
            {finding.waiver && (
              <span className="month-waiver">
                Waived by {finding.waiver.username}: {finding.waiver.reason}
              </span>
            )}
            {canWaive && isWaivable(finding) && (
              <Button
                size="small"
                variant="minimal"
                text="Waive"
                aria-label={`Waive ${finding.where || finding.what}`}
                disabled={isBusy}
                onClick={() => send({ type: 'waive', waived: [finding] })}
              />
            )}
          </>
        )}
      />
      <p className="payout-hint">
        Reporting has them as the report{' '}
        <Link to={`/reporting?report=month-checklist&month=${month}&run=1`}>Month Checklist</Link>.
      </p>
    </div>
  )
}

const isWaivable = (finding: Finding) => finding.severity === 'warning' && blocksLock(finding)

type WaiverProps = {
  group: readonly Finding[]
  count: number
  isBusy: boolean
  onWaive: (waived: Finding[]) => void
}

/** Waives all findings of a kind, also those that are not shown; not for stated totals (months 10). */
const KindWaiver = ({ group, count, isBusy, onWaive }: WaiverProps) => {
  const left = group.filter(isWaivable)
  if (left.length < 2 || left[0]!.kind === singlyWaivedKind) return null
  const what = findingKinds[left[0]!.kind as keyof typeof findingKinds]?.what ?? left[0]!.what
  return (
    <Button
      size="small"
      text={`Waive All ${formatCount(count)}`}
      aria-label={`Waive all ${formatCount(count)}: ${what}`}
      disabled={isBusy}
      onClick={() => onWaive(left)}
    />
  )
}
