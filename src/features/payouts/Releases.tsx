import { Button } from '@blueprintjs/core'
import type { MonthReleases, PayoutRelease } from '../../../schemas/api/months/months.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { formatCount, formatDollars } from '../../parts/format.ts'
import { formatDay, formatReleaseWay } from './ledgerRow.ts'
import { isUnderWay, type MonthActor } from './payouts.ts'
import { ReleaseFile } from './ReleaseFile.tsx'

/** Whether there is a payment of the month that may come back. */
export const isPaid = (released: MonthReleases | null): released is MonthReleases =>
  released !== null && released.releases.length > 0

type ReleasesProps = MonthActor & { released: MonthReleases | null; file: DownloadMachine }

/** What was released of a month, with the bank files to be taken again, and how all of it is booked back. */
export const Releases = ({ snapshot, send, released, file }: ReleasesProps) => {
  const isBusy = isUnderWay(snapshot)
  if (!isPaid(released)) return null
  return (
    <ul className="payout-releases" aria-label="Releases">
      {released.releases.map((release) => (
        <li key={release.id}>
          <span>{describeRelease(release)}</span>
          {release.filename !== null && released.takesfiles && (
            <ReleaseFile machine={file} month={released.month} release={release} />
          )}
          {release.returned < release.payments && (
            <Button
              size="small"
              variant="minimal"
              text="Book Return of All"
              aria-label={`Book Return of All: ${describeRelease(release)}`}
              disabled={isBusy || release.cannotreturn !== null}
              onClick={() => send({ type: 'bookReturn', release })}
            />
          )}
          {release.returned < release.payments && release.cannotreturn !== null && (
            <span className="payout-reason">{release.cannotreturn}.</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const describeRelease = ({ version, how, effective, username, approval, ...release }: PayoutRelease) =>
  [
    `${formatDollars(release.total)} to ${countNoun(release.payments, 'payee')}`,
    `version ${version}`,
    formatReleaseWay(how),
    effective === null ? 'day not known' : `effective ${formatDay(effective)}`,
    `by ${username}`,
    ...(approval ? [`approved by ${approval.username}`] : []),
    ...(release.returned > 0
      ? [`${formatCount(release.returned)} came back, ${formatDollars(release.returnedtotal)}`]
      : []),
  ].join(', ')
