import { Button, Callout, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { decisionMachine } from '../../../machines/decision.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { ReturnFileEntry, ReturnFileReply } from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { FilePicker } from '../../parts/FilePicker.tsx'
import { formatDollars, formatMonth } from '../../parts/format.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { TableHeads } from '../../parts/table/TableHeads.tsx'
import { formatDay } from './ledgerRow.ts'

/** What a chosen file needs: `check` loads what it means, `book` books it. */
type ReturnFileMachines = { check: typeof loadMachine; book: typeof decisionMachine }
export type ReturnFile = (content: unknown) => ReturnFileMachines

type Chosen = { name: string; machines: ReturnFileMachines }
type Props = { returnFile: ReturnFile; onBooked: () => void }

/** Reads a bank's return file: what it means is shown first, and then booked or left (payouts 17). */
export const ReadReturnFile = ({ returnFile, onBooked }: Props) => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [done, setDone] = useState('')
  const area = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // Without this the focus is left at the top of the page once the dialog is gone.
    if (wasOpen.current && !chosen)
      requestAnimationFrame(() => area.current?.querySelector('button')?.focus())
    wasOpen.current = chosen !== null
  }, [chosen])
  return (
    <div ref={area} className="payout-return">
      <FilePicker
        text="Read Return File"
        accept={[]}
        onChoose={(file) => {
          setDone('')
          setChosen({ name: file.name, machines: returnFile(file) })
        }}
      />
      <div role="status">
        {done && (
          <Callout compact intent="success">
            {done}
          </Callout>
        )}
      </div>
      {chosen && (
        <ReturnFileDialog
          {...chosen}
          onClose={() => setChosen(null)}
          onBooked={(booked) => {
            setChosen(null)
            setDone(`Booked: ${booked}.`)
            onBooked()
          }}
        />
      )}
    </div>
  )
}

type DialogProps = Chosen & { onClose: () => void; onBooked: (booked: string) => void }

const ReturnFileDialog = ({ name, machines, onClose, onBooked }: DialogProps) => {
  const environment = useActorEnvironment()
  const [check, sendCheck] = useActor(machines.check, environment)
  useLoadOnMount(sendCheck)
  const file = check.matches('shown') ? (check.context.result as ReturnFileReply) : null
  const [book] = useState(() =>
    machines.book.provide({
      actions: { reloadRecord: ({ context }) => onBooked(context.subject?.name ?? '') },
    }),
  )
  const [booking, sendBooking] = useActor(book, environment)
  const isBusy = booking.matches('deciding')
  const isBookable = file !== null && file.faults.length === 0 && file.entries.some((it) => it.isbooked)
  return (
    <Dialog
      isOpen
      title={`Return file ${name}`}
      className="payout-file"
      canOutsideClickClose={false}
      transitionDuration={100}
      onClose={() => {
        if (!isBusy) onClose()
      }}
    >
      <DialogBody>
        {check.matches('failed') ? (
          <p>The file could not be read. Close this and choose it again.</p>
        ) : file ? (
          <FileContent file={file} />
        ) : (
          <Spinner aria-label="Reading the file" />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={isBookable ? 'Cancel' : 'Close'} disabled={isBusy} autoFocus onClick={onClose} />
            {isBookable && (
              <Button
                text="Book All"
                intent="warning"
                loading={isBusy}
                onClick={() => {
                  sendBooking({ type: 'ask', subject: { name: describeEntries(file), id: 0, version: 0 } })
                  sendBooking({ type: 'decide', text: '' })
                }}
              />
            )}
          </>
        }
      />
    </Dialog>
  )
}

/** '2 returns of $110.00 and 1 corrected account': what booking stores. */
const describeEntries = ({ entries }: ReturnFileReply): string => {
  const booked = entries.filter(({ isbooked }) => isbooked)
  const returns = booked.filter(({ kind }) => kind === 'return')
  const total = sumDollars(returns.map(({ amount }) => amount))
  const corrections = booked.length - returns.length
  return [
    ...(returns.length > 0 ? [`${countNoun(returns.length, 'return')} of ${formatDollars(total)}`] : []),
    ...(corrections > 0 ? [countNoun(corrections, 'corrected account')] : []),
  ].join(' and ')
}

const FileContent = ({ file }: { file: ReturnFileReply }) => {
  const booked = describeEntries(file)
  if (file.faults.length > 0)
    return (
      <>
        <p>
          Nothing of the file can be booked while one line is wrong. Choose the right file, or ask the bank
          for a corrected one.
        </p>
        <LineTable label="What is wrong in the file" heads={['What is wrong']}>
          {file.faults.map(({ line, message }, index) => (
            <tr key={index}>
              <td className="table-figures">{line}</td>
              <td className="table-message">{message}</td>
            </tr>
          ))}
        </LineTable>
      </>
    )
  return (
    <>
      <p>
        {booked === ''
          ? 'There is nothing to book in this file.'
          : `${booked} of ${formatDay(file.day)}. Returns are final: once booked they cannot be taken back.`}
      </p>
      <LineTable label="Entries of the file" heads={['Payee', 'Month', 'Paid', 'Code', 'What follows']}>
        {file.entries.map((entry) => (
          <EntryRow key={entry.line} entry={entry} />
        ))}
      </LineTable>
    </>
  )
}

const EntryRow = ({ entry }: { entry: ReturnFileEntry }) => (
  <tr>
    <td className="table-figures">{entry.line}</td>
    <td>
      {entry.displayid} - {entry.name}
    </td>
    <td>{formatMonth(entry.month)}</td>
    <td className="table-figures">{formatDollars(entry.amount)}</td>
    <td className="payout-code">{[entry.code, entry.meaning].filter(Boolean).join(' ')}</td>
    <td className="table-message">{entry.outcome}</td>
  </tr>
)

type TableProps = { label: string; heads: readonly string[]; children: ReactNode }

/** A scrolling table whose rows begin with their line in the file. */
const LineTable = ({ label, heads, children }: TableProps) => (
  <TableFrame label={label} className="payout-file-lines">
    <TableHeads
      heads={['Line', ...heads].map((text) => ({ text, isFigure: text === 'Line' || text === 'Paid' }))}
    />
    <tbody>{children}</tbody>
  </TableFrame>
)
