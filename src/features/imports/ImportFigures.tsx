import { Callout } from '@blueprintjs/core'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import type { Imported } from '../../../machines/upload.machine.ts'
import { formatUsDate } from '../../../schemas/dates.ts'
import type { FileSource } from '../../../schemas/imports/answers.ts'
import type { Repeated } from '../../../schemas/imports/importReplies.ts'
import { formatCount, formatDollars, formatLocalDateTime, formatMonth } from '../../parts/format.ts'

/** The sums of a file as [name, '$1,234.50']; the total 'rows' is a count and left out. */
export const dollarTotals = (totals: Record<string, number>): [name: string, amount: string][] =>
  Object.entries(totals)
    .filter(([name]) => name !== 'rows')
    .map(([name, amount]) => [name, formatDollars(amount)])

/** Who imported the same bytes, when, and for which other month or day (imports 17). */
export const describeRepeated = ({ username, importedat, subject }: Repeated) =>
  (subject === null
    ? 'The same file was imported before'
    : `This file was imported already, for ${subject},`) +
  ` by ${username} on ${formatLocalDateTime(importedat)}.`

type FigureListProps = { figures: readonly (readonly [name: string, figure: string])[]; isLarge?: boolean }
export const FigureList = ({ figures, isLarge = false }: FigureListProps) =>
  figures.length > 0 && (
    <dl className={isLarge ? 'figures figures-large' : 'figures'}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )

/** Warnings and unused columns of a file. */
export const Remarks = ({ warnings, ignored }: Pick<Imported, 'warnings' | 'ignored'>) => (
  <>
    {warnings.length > 0 && (
      <Callout compact intent="warning">
        <ul className="import-warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Callout>
    )}
    {ignored.length > 0 && <p>Columns that were not used: {ignored.join(', ')}</p>}
  </>
)

/** 'October 2026', which leads to the month (imports 21). */
export const MonthLink = ({ month }: { month: string }) => (
  <Link to={`/month/${month}`}>{formatMonth(month)}</Link>
)

type SourceLineProps = {
  source: FileSource
  /** Whether the month leads to its screen. */
  isLinked?: boolean
}

/** 'Iris, October 2026', the day of daily volume; nothing for a kind that has neither. */
export const SourceLine = ({ source: { month, processor, day }, isLinked = false }: SourceLineProps) => {
  const monthPart = month && (isLinked ? <MonthLink month={month} /> : formatMonth(month))
  const parts = [processor, monthPart, day && formatUsDate(day)].filter(Boolean)
  return (
    parts.length > 0 && (
      <p className="import-source">
        {parts.map((part, index) => (
          <Fragment key={index}>
            {index > 0 && ', '}
            {part}
          </Fragment>
        ))}
      </p>
    )
  )
}

/** The result of the last import (imports 20). */
export const LastImport = ({ imported }: { imported: Imported }) => {
  const { source, inserted, updated, unchanged, totals, warnings, ignored } = imported
  return (
    <section className="import-result" aria-label="Last import">
      <h2>Last import</h2>
      <SourceLine source={source} isLinked />
      <p>
        {totals.rows !== undefined &&
          `${formatCount(totals.rows)} ${totals.rows === 1 ? 'row' : 'rows'} read: `}
        {formatCount(inserted)} added, {formatCount(updated)} changed, {formatCount(unchanged)} as they were.
      </p>
      <FigureList figures={dollarTotals(totals)} />
      <Remarks warnings={warnings} ignored={ignored} />
    </section>
  )
}
