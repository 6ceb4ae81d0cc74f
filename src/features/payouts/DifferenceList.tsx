import { Button, Callout, HTMLSelect } from '@blueprintjs/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import {
  differenceKinds,
  type MonthDifference,
  type DifferenceKind,
  type MonthDifferences,
} from '../../../schemas/api/months/differences.ts'
import { pageSizes } from '../../../schemas/constants.ts'
import { formatCount, formatDollars, formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { PageSteps } from '../../parts/table/PageSteps.tsx'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { takesSteps, type MonthActor } from './payouts.ts'

/** The page size that the call uses when its query names none. */
const pageSize = pageSizes.at(-1)!

type Props = MonthActor & { differences: MonthDifferences }

/** The records that differ from the copies by which a reopened month is computed (months 14). */
export const DifferenceList = (props: Props) => {
  const { snapshot, differences } = props
  const { version, reopenedby, reopenedat, reason, notes, kinds } = differences
  const month = snapshot.context.view.month?.month
  return (
    <section className="month-differences" aria-label="Differences">
      <Callout compact intent="primary">
        {formatMonth(month)} was opened again by {reopenedby} on {formatLocalDateTime(reopenedat)}: {reason}.
        It is worked out from what version {version} copied; files and adjustments are those of today.
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </Callout>
      {kinds.length === 0 ? (
        <p className="payout-hint">Nothing differs from version {version}.</p>
      ) : (
        <>
          <KindChoice {...props} />
          <DifferenceTable {...props} />
        </>
      )}
    </section>
  )
}

/** The kind to look at, what can be done with all of it, and the pages. */
const KindChoice = (props: Props) => {
  const { snapshot, send, differences } = props
  const { kinds } = differences
  const id = useId()
  const { page } = snapshot.context
  const isBusy = !takesSteps(snapshot)
  const chosen = kinds.find(({ kind }) => kind === page.kind)
  const chosenKind = (count: number) => ({ keys: [page.kind], count, what: chosen?.what ?? '' })
  return (
    <div className="payout-head">
      <div className="payout-select">
        <label htmlFor={id}>Differs</label>
        <HTMLSelect
          id={id}
          iconProps={{ title: undefined, 'aria-hidden': true }}
          value={page.kind}
          disabled={isBusy}
          onChange={({ currentTarget: { value } }) =>
            send({ type: 'browse', page: { kind: value as DifferenceKind | '', page: 1 } })
          }
        >
          <option value="">Everything</option>
          {kinds.map((it) => (
            <option key={it.kind} value={it.kind}>
              {describeKind(it)}
            </option>
          ))}
        </HTMLSelect>
        {chosen && chosen.count > 0 && (
          <Button
            text={`Take Over All ${formatCount(chosen.count)}`}
            disabled={isBusy}
            onClick={() => send({ type: 'takeOver', chosen: chosenKind(chosen.count) })}
          />
        )}
        {chosen && chosen.taken > 0 && (
          <Button
            text={`Count the Copies Again of ${formatCount(chosen.taken)}`}
            disabled={isBusy}
            onClick={() => send({ type: 'countCopy', chosen: chosenKind(chosen.taken) })}
          />
        )}
      </div>
      <Pages {...props} />
    </div>
  )
}

const describeKind = ({ what, count, taken }: MonthDifferences['kinds'][number]) =>
  `${what} (${formatCount(count)}${taken > 0 ? `, ${formatCount(taken)} taken over` : ''})`

const Pages = ({ snapshot, send, differences: { total_length } }: Props) => {
  const { page, shownPage } = snapshot.context
  return (
    <PageSteps
      page={shownPage.page}
      size={pageSize}
      total={total_length}
      isBusy={!takesSteps(snapshot)}
      onPage={(number) => send({ type: 'browse', page: { ...page, page: number } })}
    />
  )
}

const heads = ['What', 'Copied', 'Today', 'Net', 'Changed', 'Counts']

const DifferenceTable = (props: Props) => (
  <TableFrame label="Differences to the copies" className="payout-scroll">
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" className={head === 'Net' ? 'table-figures' : undefined}>
            {head}
          </th>
        ))}
        <th scope="col">
          <span className="visually-hidden">Take over</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {props.differences.data.map((difference) => (
        <DifferenceRow key={difference.key} {...props} difference={difference} />
      ))}
    </tbody>
  </TableFrame>
)

const DifferenceRow = ({ snapshot, send, difference }: Props & { difference: MonthDifference }) => {
  const { key, kind, what, was, now, counts, amount, link, takenby } = difference
  const isTaken = takenby !== null
  const name = `${differenceKinds[kind]}, ${what}`
  return (
    <tr>
      <th scope="row" className="table-first table-name">
        {link === null ? what : <Link to={link}>{what}</Link>}
        <div className="payout-by">{differenceKinds[kind]}</div>
      </th>
      <td>{was}</td>
      <td>{now}</td>
      <td className="table-figures">{amount === null ? '' : formatDollars(amount)}</td>
      <td>{describeChange(difference)}</td>
      <td>
        {isTaken
          ? `Today, taken over by ${takenby}`
          : counts === null
            ? 'Copied'
            : `${counts}, taken over before`}
      </td>
      <td>
        <Button
          size="small"
          variant="minimal"
          disabled={!takesSteps(snapshot)}
          text={isTaken ? 'Count the Copy' : 'Take Over'}
          aria-label={isTaken ? `Count the copy again of ${name}` : `Take over ${name}`}
          onClick={() =>
            send({ type: isTaken ? 'countCopy' : 'takeOver', chosen: { keys: [key], count: 1, what: name } })
          }
        />
      </td>
    </tr>
  )
}

const describeChange = ({ changedby, changedat, isafter }: MonthDifference) =>
  changedby === null || changedat === null
    ? ''
    : `${changedby}, ${formatLocalDateTime(changedat)}${isafter ? ', since the reopening' : ''}`
