import { Button, Callout, FormGroup, InputGroup, ProgressBar, Spinner } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { Purpose, uploadMachine } from '../../../machines/upload.machine.ts'
import { uploadTypes } from '../../../schemas/constants.ts'
import { fileNameFault } from '../../../schemas/imports/fileName.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import type { Repeated, ImportProgress as Progress } from '../../../schemas/imports/importTypes.ts'
import { DateField } from '../../parts/DateField.tsx'
import { FilePicker } from '../../parts/FilePicker.tsx'
import { formatCount, formatLocalDateTime } from '../../parts/format.ts'

const ending = /\.[^.]*$/

/**
 * The nearest name that may be sent; null when the ending is not one of ours, for the content decides that.
 */
export const suggestFileName = (name: string): string | null => {
  const end = ending.exec(name)?.[0].toLowerCase() ?? ''
  if (!(uploadTypes as readonly string[]).includes(end)) return null
  const base = name
    .slice(0, name.length - end.length)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\./g, '-')
    .replace(/[^A-Za-z0-9 _-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return `${base === '' ? 'file' : base}${end}`
}

/** A random UUID for one sending of a file. `crypto.randomUUID` is there on TLS and localhost alone. */
export const newJobId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type ImportProgressProps = { purpose: Purpose; percent: number; work: Progress | null; onCancel: () => void }

const phaseTexts = (purpose: Purpose) => ({
  reading: 'Reading the file',
  checking: 'Checking the rows',
  storing: purpose === 'preview' ? 'Comparing with what is stored' : 'Storing the rows',
})

/** Percent while the file is sent, then how far the server is with its rows. */
export const ImportProgress = ({ purpose, percent, work, onCancel }: ImportProgressProps) => {
  const isSent = percent >= 100
  const share = !isSent ? percent / 100 : work?.total ? Math.min(1, work.done / work.total) : undefined
  const rows = !work
    ? ''
    : work.total !== null
      ? `, ${formatCount(work.done)} of ${formatCount(work.total)} rows`
      : work.done > 0
        ? `, ${formatCount(work.done)} rows`
        : ''
  return (
    <>
      <Spinner size={20} aria-label="Uploading" />
      <div className="import-progress">
        <span>
          {isSent
            ? `${phaseTexts(purpose)[work?.phase ?? 'reading']}${rows}`
            : `Uploading, ${Math.round(percent)} %`}
        </span>
        <ProgressBar
          aria-label="Progress"
          value={share}
          animate={share === undefined}
          stripes={share === undefined}
          intent="primary"
        />
      </div>
      <Button text="Cancel" onClick={onCancel} />
    </>
  )
}

type ImportFormProps = {
  definition: Import
  snapshot: SnapshotFrom<typeof uploadMachine>
  send: (event: EventFromLogic<typeof uploadMachine>) => void
}

/** What is sent: the file, for daily volume its day; and Submit, Preview and Clear once a file is chosen. */
export const ImportForm = ({ definition: it, snapshot, send }: ImportFormProps) => {
  const [wasAsked, setAsked] = useState(false)
  const { file, date, job, percent, work, preview, repeated } = snapshot.context
  const isUploading = snapshot.matches('uploading')
  const actions = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A pressed button that is gone must not leave the keyboard at the top of the page.
    if (document.activeElement === document.body) actions.current?.focus({ preventScroll: true })
  }, [isUploading, preview])
  return (
    <form
      className="import-form"
      onSubmit={(event) => {
        event.preventDefault()
        send({ type: 'submit', job: newJobId() })
      }}
    >
      <FilePicker
        accept={uploadTypes}
        disabled={isUploading}
        onChoose={(content) => send({ type: 'choose', file: { content, name: content.name } })}
        onCancel={() => setAsked(true)}
      />
      <FileName
        name={file?.name ?? ''}
        isAsked={file !== null || wasAsked}
        onRename={(name) => send({ type: 'rename', name })}
      />
      {it.dated && (
        <DateField
          label="Date"
          value={date}
          disabled={isUploading}
          error={file && date === null ? 'Date is required' : undefined}
          onChange={(day) => send({ type: 'date', date: day })}
        />
      )}
      {repeated && (
        <RepeatedImportNotice
          {...repeated}
          isReady={snapshot.can({ type: 'again', job: '' })}
          onAgain={() => send({ type: 'again', job: newJobId() })}
        />
      )}
      {file && (
        <div ref={actions} tabIndex={-1} className="import-actions">
          {isUploading ? (
            <ImportProgress
              purpose={job?.purpose ?? 'import'}
              percent={percent}
              work={work}
              onCancel={() => send({ type: 'cancel' })}
            />
          ) : (
            <>
              <Button
                type="submit"
                intent={repeated || preview?.rejected ? 'none' : 'primary'}
                text="Submit"
                disabled={!snapshot.can({ type: 'submit', job: '' })}
              />
              {!preview && (
                <Button
                  text="Preview"
                  disabled={!snapshot.can({ type: 'preview', job: '' })}
                  onClick={() => send({ type: 'preview', job: newJobId() })}
                />
              )}
              <Button text="Clear" onClick={() => send({ type: 'clear' })} />
            </>
          )}
        </div>
      )}
    </form>
  )
}

type NameProps = {
  name: string
  /** A file was chosen, or the choice was given up. */ isAsked: boolean
  onRename: (name: string) => void
}

/** The name of the file, read-only; what is wrong with it, and the nearest name that may be sent. */
const FileName = ({ name, isAsked, onRename }: NameProps) => {
  const id = useId()
  const fault = isAsked ? fileNameFault(name) : null
  const cleaned = fault && name !== '' ? suggestFileName(name) : null
  return (
    <FormGroup
      label="File name"
      labelFor={id}
      intent={fault ? 'danger' : 'none'}
      helperText={
        fault && (
          <span id={`${id}-fault`}>
            <span>{fault.message}</span>
            {fault.detail && <span className="name-detail">{fault.detail}</span>}
            {cleaned && <Button size="small" text={`Use “${cleaned}”`} onClick={() => onRename(cleaned)} />}
          </span>
        )
      }
    >
      <InputGroup
        id={id}
        readOnly
        value={name}
        placeholder="No file chosen"
        intent={fault ? 'danger' : 'none'}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
      />
    </FormGroup>
  )
}

/** Where the same file was imported already: who, when, and the way to do it all the same. */
const RepeatedImportNotice = ({
  username,
  importedat,
  isReady,
  onAgain,
}: Repeated & { isReady: boolean; onAgain: () => void }) => (
  <Callout compact intent="warning" role="alert" className="import-before">
    <span>
      The same file was imported before by {username} on {formatLocalDateTime(importedat)}.
    </span>
    <Button size="small" text="Import anyway" disabled={!isReady} onClick={onAgain} />
  </Callout>
)
