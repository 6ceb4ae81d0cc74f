import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import type { RecoveredQuery, RecoveredReply } from '../../../schemas/api/months/variance.ts'
import { pageSizes } from '../../../schemas/constants.ts'
import { formatCount, formatDollars, formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { PageSteps } from '../../parts/table/PageSteps.tsx'
import { useAnswer, type PanelProps } from './answer.ts'
import { Answered, FramedTable } from './parts.tsx'

const size = pageSizes[1]

/** What was missing and came with a later file, with the sums of each year (variance 8). */
export const RecoveredList = ({ month, machines }: PanelProps) => {
  const [page, setPage] = useState(1)
  const call = useMemo(() => {
    const query = { page, size }
    return { query, machine: machines.recovered(month, query) }
  }, [machines, month, page])
  const answer = useAnswer<RecoveredReply, RecoveredQuery>(call)
  return (
    <section className="variance" aria-label="Recovered">
      <h2>Recovered</h2>
      <Answered answer={answer} what="The recovered income">
        {(reply, of) => (
          <>
            {reply.years.length > 0 && (
              <ul className="variance-months" aria-label="Recovered by year">
                {reply.years.map(({ year, count, net }) => (
                  <li key={year}>
                    {year}: {formatDollars(net)} of {formatCount(count)}
                  </li>
                ))}
              </ul>
            )}
            {reply.total_length === 0 ? (
              <p className="variance-hint">
                Nothing that was missing when a month was locked, or that was dismissed, has come with a later
                file.
              </p>
            ) : (
              <>
                <RecoveredTable reply={reply} />
                <PageSteps
                  page={of.page ?? 1}
                  size={size}
                  total={reply.total_length}
                  isBusy={answer.state === 'loading'}
                  onPage={setPage}
                />
              </>
            )}
          </>
        )}
      </Answered>
    </section>
  )
}

const RecoveredTable = ({ reply: { data } }: { reply: RecoveredReply }) => (
  <FramedTable
    label="Recovered income"
    heads={[
      { text: 'Merchant' },
      { text: 'Month' },
      { text: 'Estimate', isFigure: true },
      { text: 'Net', isFigure: true },
      { text: 'File' },
    ]}
  >
    {data.map((row) => (
      <tr key={`${row.xmid} ${row.month}`}>
        <th scope="row" className="table-first table-name">
          <Link to={row.link}>{row.xmid}</Link>
          <div className="variance-note">{row.name}</div>
        </th>
        <td>{formatMonth(row.month)}</td>
        <td className="table-figures">{formatDollars(row.estimate)}</td>
        <td className="table-figures">{formatDollars(row.net)}</td>
        <td>
          {row.filename}
          <div className="variance-note">
            Import {row.batch}, {formatLocalDateTime(row.at)}
          </div>
        </td>
      </tr>
    ))}
  </FramedTable>
)
