import { HTMLTable } from '@blueprintjs/core'
import { money, type Point } from './points.ts'

/** The chart's figures to be read, newest first. */
export const Figures = ({ points }: { points: readonly Point[] }) => (
  <div className="home-scroll" role="region" aria-label="Daily volume" tabIndex={0}>
    <HTMLTable compact striped>
      <caption className="home-caption">Daily volume</caption>
      <thead>
        <tr>
          <th scope="col">Report Date</th>
          <th scope="col" className="home-money">
            $ Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {[...points].reverse().map(({ name, value }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="home-money">{money(value)}</td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  </div>
)
