import { Button, Callout, FormGroup, InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { Repeated, uploadMachine } from '../../machines/upload.machine.ts'
import { uploadTypes } from '../../schemas/constants.ts'
import { nameFault } from '../../schemas/fileName.ts'
import type { Import } from '../../schemas/imports.ts'
import { instant } from '../format.ts'
import { DateField } from '../parts/DateField.tsx'
import { FilePicker } from '../parts/FilePicker.tsx'
import { cleanName } from './fileName.ts'
import { ImportProgress } from './ImportProgress.tsx'
import { newJob } from './job.ts'

type Props = {
  it: Import
  snapshot: SnapshotFrom<typeof uploadMachine>
  send: (event: EventFromLogic<typeof uploadMachine>) => void
}

/** What is sent: the file, for daily volume its day; and Submit, Preview and Clear once a file is chosen. */
export const ImportForm = ({ it, snapshot, send }: Props) => {
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
        send({ type: 'submit', job: newJob() })
      }}
    >
      <FilePicker
        accept={uploadTypes}
        disabled={isUploading}
        onChoose={(content) => send({ type: 'choose', file: { content, name: content.name } })}
        onCancel={() => setAsked(true)}
      />
      <FileName name={file?.name ?? ''} isAsked={file !== null || wasAsked} onRename={(name) => send({ type: 'rename', name })} />
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
        <Before
          {...repeated}
          isReady={snapshot.can({ type: 'again', job: '' })}
          onAgain={() => send({ type: 'again', job: newJob() })}
        />
      )}
      {file && (
        <div ref={actions} tabIndex={-1} className="import-actions">
          {isUploading ? (
            <ImportProgress purpose={job?.purpose ?? 'import'} percent={percent} work={work} onCancel={() => send({ type: 'cancel' })} />
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
                  onClick={() => send({ type: 'preview', job: newJob() })}
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

type NameProps = { name: string; /** A file was chosen, or the choice was given up. */ isAsked: boolean; onRename: (name: string) => void }

/** The name of the file, read-only; what is wrong with it, and the nearest name that may be sent. */
const FileName = ({ name, isAsked, onRename }: NameProps) => {
  const id = useId()
  const fault = isAsked ? nameFault(name) : null
  const cleaned = fault && name !== '' ? cleanName(name) : null
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
const Before = ({ username, importedat, isReady, onAgain }: Repeated & { isReady: boolean; onAgain: () => void }) => (
  <Callout compact intent="warning" role="alert" className="import-before">
    <span>
      The same file was imported before by {username} on {instant(importedat)}.
    </span>
    <Button size="small" text="Import anyway" disabled={!isReady} onClick={onAgain} />
  </Callout>
)
