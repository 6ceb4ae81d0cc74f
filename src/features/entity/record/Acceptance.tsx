import { AnchorButton, Button, Dialog, DialogBody, HTMLTable, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { stringify } from 'csv-stringify/browser/esm/sync'
import { useEffect, useState } from 'react'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { Acceptances } from '../../../../schemas/entities/terms.ts'
import { escapeFormula } from '../../../../schemas/formulas.ts'
import { formatCount, formatUtcDate } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { useFocusBack } from '../../../parts/hooks/focusBack.ts'

const csvFormat = { record_delimiter: '\r\n', quote_record_delimiter: true }

/**
 * A data URL of a CSV file, for a link with `download`. A text that looks like a formula stands behind an
 * apostrophe (reports 12).
 */
export const csvDataUrl = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const lines = [head, ...rows].map((row) =>
    row.map((value) => (typeof value === 'string' ? escapeFormula(value) : value)),
  )
  return `data:text/csv;charset=utf-8,${encodeURIComponent(stringify(lines, csvFormat))}`
}

type Props = { id: number; machineOf: (id: number) => typeof loadMachine }

/** Opens the list of the people who accepted one version of the terms (terms 5). */
export const AcceptanceButton = ({ id, machineOf }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        text="Acceptance by User"
        aria-label={`Acceptance by User of version ${id}`}
        onClick={() => setOpen(true)}
      />
      {isOpen && <AcceptanceDialog id={id} machineOf={machineOf} onClose={() => setOpen(false)} />}
    </>
  )
}

const AcceptanceDialog = ({ id, machineOf, onClose }: Props & { onClose: () => void }) => {
  const [machine] = useState(() => machineOf(id))
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  useFocusBack()
  const acceptances = snapshot.context.result as Acceptances | null
  return (
    <Dialog
      isOpen
      className="dialog-large"
      title={`Acceptance by User: version ${id}`}
      shouldReturnFocusOnClose={false}
      onClose={onClose}
      transitionDuration={100}
    >
      <DialogBody>
        {acceptances ? (
          <AcceptanceLists id={id} {...acceptances} />
        ) : snapshot.matches('failed') ? (
          <p role="alert">
            The list could not be loaded. <Button text="Try again" onClick={() => send({ type: 'load' })} />
          </p>
        ) : (
          <Spinner className="dialog-loading" aria-label="Loading" />
        )}
      </DialogBody>
    </Dialog>
  )
}

const AcceptanceLists = ({ id, data, pending }: Acceptances & { id: number }) => (
  <>
    <h3>{`Accepted by ${formatCount(data.length)}`}</h3>
    <HTMLTable compact striped>
      <thead>
        <tr>
          <th scope="col">User ID</th>
          <th scope="col">Accepted Time</th>
          <th scope="col">IP Address</th>
        </tr>
      </thead>
      <tbody>
        {data.map((row) => (
          <tr key={row.userid}>
            <td>{`${row.userid} - ${row.username}`}</td>
            <td>{formatUtcDate(row.acceptancedate)}</td>
            <td>{row.ipaddress}</td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
    <h3>
      {pending.length > 0
        ? `Not accepted yet by ${formatCount(pending.length)}`
        : 'Everybody has accepted this version'}
    </h3>
    {pending.length > 0 && (
      <>
        <ul>
          {pending.map((row) => (
            <li key={row.userid}>{`${row.userid} - ${row.username}`}</li>
          ))}
        </ul>
        <AnchorButton
          text="Export who has not accepted (CSV)"
          href={csvDataUrl(
            ['User ID', 'Username'],
            pending.map((row) => [row.userid, row.username]),
          )}
          download={`terms ${id} not accepted.csv`}
        />
      </>
    )}
  </>
)
