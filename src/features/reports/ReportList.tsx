import { Link } from 'react-router-dom'
import { reportGroups, type ReportType } from '../../../schemas/api/reports.ts'

/** The reports by group, each with what it answers; a name leads to its inputs (reports 37). */
export const ReportList = ({ types }: { types: readonly ReportType[] }) => (
  <div className="report-list">
    {reportGroups.map((group) => {
      const own = types.filter((type) => type.group === group)
      return (
        own.length > 0 && (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {own
                .sort((a, b) => a.name.localeCompare(b.name))
                .map(({ id, name, description }) => (
                  <li key={id}>
                    <Link to={{ search: `?report=${id}` }}>{name}</Link>
                    <p>{description}</p>
                  </li>
                ))}
            </ul>
          </section>
        )
      )
    })}
  </div>
)
