import { Button, HTMLTable, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { AgentRate, AgentRates } from '../../../../schemas/api/agentRates.ts'
import { masterAgent } from '../../../../schemas/entities/masterAgent.ts'
import type { OfferedMonths } from '../../../forms/context.ts'
import { formatDollars, formatLocalDateTime, formatMonth, formatPercent } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'

type Props = {
  /** The id of the master agent. */
  id: number
  machineOf: (id: number) => typeof loadMachine
  /** The form of the record, which offers the months from which a changed rate may hold. */
  form: (offeredMonths?: Readonly<Record<string, OfferedMonths>>) => ReactNode
}

/** The form of a master agent, and below it the history of its rates (agents 5). */
export const RecordRates = ({ id, machineOf, form }: Props) => {
  const [machine] = useState(() => machineOf(id))
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  const rates = snapshot.context.result as AgentRates | null
  const offered = useMemo(
    () => rates && { ratesfrom: { months: rates.months, usual: rates.ratesfrom } },
    [rates],
  )
  return (
    <>
      {form(offered ?? undefined)}
      <section className="rate-history">
        <h3>Rate History</h3>
        {rates ? (
          <RateTable rates={rates.data} />
        ) : snapshot.matches('failed') ? (
          <p role="alert">
            The history could not be loaded.{' '}
            <Button size="small" text="Try again" onClick={() => send({ type: 'load' })} />
          </p>
        ) : (
          <Spinner size={20} aria-label="Loading the history" />
        )}
      </section>
    </>
  )
}

const { properties } = masterAgent.schema
const formatRate = ({ field, value }: AgentRate) =>
  value === null ? 'None' : properties[field].kind === 'percent' ? formatPercent(value) : formatDollars(value)

const RateTable = ({ rates }: { rates: readonly AgentRate[] }) =>
  rates.length === 0 ? (
    <p>No rate was changed yet: what is shown above holds from the beginning.</p>
  ) : (
    <div className="table-scroll" role="region" aria-label="Rate History" tabIndex={0}>
      <HTMLTable compact striped>
        <thead>
          <tr>
            <th scope="col">Rate</th>
            <th scope="col">From Month</th>
            <th scope="col">Value</th>
            <th scope="col">User</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <tr key={`${rate.field} ${rate.from}`}>
              <td>{properties[rate.field].title}</td>
              <td>{rate.from === null ? 'The beginning' : formatMonth(rate.from)}</td>
              <td>{formatRate(rate)}</td>
              <td>{rate.username}</td>
              <td>{formatLocalDateTime(rate.changedat)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  )
