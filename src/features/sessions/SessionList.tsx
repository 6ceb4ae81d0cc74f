import { Button, HTMLTable, Spinner, Tag } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useState, type RefObject } from 'react'
import type { decisionMachine } from '../../../machines/decision.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { OpenSession } from '../../../schemas/api/accounts/openSessions.ts'
import { Confirm, useFocusAfterQuestion } from '../../parts/Confirm.tsx'
import { formatLocalDateTime } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import '../../parts/parts.css'
import './sessions.css'

export type SessionListProps = {
  /** The id of the user, or null for their own sessions. */
  user: number | null
  machinesOf: (user: number | null) => { list: typeof loadMachine; end: typeof decisionMachine }
}

/** The open sessions of one user, each of which can be ended but the one in use (session 13). */
export const SessionList = ({ user, machinesOf }: SessionListProps) => {
  const given = useActorEnvironment()
  const [{ list, end }] = useState(() => machinesOf(user))
  const [snapshot, send] = useActor(list, given)
  const [endAndReload] = useState(() =>
    end.provide({ actions: { reloadRecord: () => send({ type: 'load' }) } }),
  )
  const [question, ask] = useActor(endAndReload, given)
  useEffect(() => send({ type: 'load' }), [send])
  const { subject } = question.context
  const frame = useFocusAfterQuestion(subject !== null, question.matches('deciding'))
  const sessions = snapshot.context.result as readonly OpenSession[] | null
  if (snapshot.matches('failed'))
    return (
      <p role="alert">
        The sessions could not be loaded.{' '}
        <Button size="small" text="Try again" onClick={() => send({ type: 'load' })} />
      </p>
    )
  if (!sessions) return <Spinner size={20} aria-label="Loading the sessions" />
  const others = sessions.filter(({ current }) => !current)
  const chosen = others.find(({ id }) => id === subject?.id)
  const allText = others.length < sessions.length ? 'End all others' : 'End all'
  return (
    <>
      <SessionTable
        frame={frame}
        sessions={sessions}
        onEnd={({ id }) => ask({ type: 'ask', subject: { name: 'session', id, version: 0 } })}
      />
      {others.length > 1 && (
        <Button
          className="sessions-all"
          text={allText}
          onClick={() => ask({ type: 'ask', subject: { name: 'all', id: 0, version: 0 } })}
        />
      )}
      {subject && (
        <Confirm
          choices={[
            {
              text: 'End',
              intent: 'danger',
              loading: question.matches('deciding'),
              onClick: () => ask({ type: 'decide', text: '' }),
            },
            { text: 'Cancel', onClick: () => ask({ type: 'cancel' }) },
          ]}
        >
          {chosen ? `End the session of ${chosen.device} from ${chosen.address}?` : `${allText}?`}
        </Confirm>
      )}
    </>
  )
}

type TableProps = {
  frame: RefObject<HTMLDivElement | null>
  sessions: readonly OpenSession[]
  onEnd: (session: OpenSession) => void
}

const SessionTable = ({ frame, sessions, onEnd }: TableProps) =>
  sessions.length === 0 ? (
    <p>This user has no open session.</p>
  ) : (
    <div ref={frame} className="table-scroll" role="region" aria-label="Sessions" tabIndex={0}>
      <HTMLTable compact striped>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Address</th>
            <th scope="col">Begun</th>
            <th scope="col">Last Used</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <td>{session.device}</td>
              <td>{session.address}</td>
              <td>{formatLocalDateTime(session.begun)}</td>
              <td>{formatLocalDateTime(session.lastused)}</td>
              <td className="sessions-end">
                {session.current ? (
                  <Tag minimal>This session</Tag>
                ) : (
                  <Button
                    size="small"
                    text="End"
                    aria-label={`End the session of ${session.device} from ${session.address}`}
                    onClick={() => onEnd(session)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  )
