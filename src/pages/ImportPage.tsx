import { Button, FormGroup, InputGroup, ProgressBar, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useId, useState } from 'react'
import type { uploadMachine } from '../../machines/upload.machine.ts'
import { uploadTypes } from '../../schemas/constants.ts'
import type { Import } from '../../schemas/imports.ts'
import { useGiven } from '../actorOptions.ts'
import { DateField } from '../parts/DateField.tsx'
import { FilePicker } from '../parts/FilePicker.tsx'
import '../styles/parts.css'
import { cleanName, nameFault } from './fileName.ts'
import { ImportHelp } from './ImportHelp.tsx'
import { ImportOutcome } from './ImportOutcome.tsx'

type Props = { it: Import; upload: typeof uploadMachine }

/** The screen that imports one kind of file. */
export const ImportPage = (props: Props) => <ImportScreen key={props.it.name} {...props} />

const ImportScreen = ({ it, upload }: Props) => {
  const [snapshot, send] = useActor(upload, { ...useGiven(), input: { kind: it.name, dated: it.dated === true } })
  const [wasAsked, setAsked] = useState(false)
  const id = useId()
  const { file, date, percent } = snapshot.context
  const isUploading = snapshot.matches('uploading')
  const name = file?.name ?? ''
  const fault = file || wasAsked ? nameFault(name) : null
  const cleaned = fault && name !== '' ? cleanName(name) : null
  return (
    <section className="import-page">
      <header className="page-head">
        <h1>{it.title}</h1>
      </header>
      <ImportHelp it={it} />
      <form
        className="import-form"
        onSubmit={(event) => {
          event.preventDefault()
          send({ type: 'submit' })
        }}
      >
        <FilePicker
          accept={uploadTypes}
          disabled={isUploading}
          onChoose={(content) => send({ type: 'choose', file: { content, name: content.name } })}
          onCancel={() => setAsked(true)}
        />
        <FormGroup
          label="File name"
          labelFor={id}
          intent={fault ? 'danger' : 'none'}
          helperText={
            fault && (
              <span id={`${id}-fault`}>
                <span>{fault.message}</span>
                {fault.detail && <span className="name-detail">{fault.detail}</span>}
                {cleaned && (
                  <Button size="small" text={`Use “${cleaned}”`} onClick={() => send({ type: 'rename', name: cleaned })} />
                )}
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
        {it.dated && (
          <DateField
            label="Date"
            value={date}
            disabled={isUploading}
            error={file && date === null ? 'Date is required' : undefined}
            onChange={(day) => send({ type: 'date', date: day })}
          />
        )}
        {isUploading ? (
          <div className="import-progress">
            <Spinner size={20} aria-label="Uploading" />
            <span>{percent < 100 ? `Uploading, ${Math.round(percent)} %` : 'Checking and storing the rows'}</span>
            <ProgressBar aria-label="Uploaded" value={percent / 100} animate={percent >= 100} stripes={percent >= 100} intent="primary" />
            {percent < 100 && <Button text="Cancel" onClick={() => send({ type: 'cancel' })} />}
          </div>
        ) : (
          file && (
            <div className="import-actions">
              <Button type="submit" intent="primary" text="Submit" disabled={!snapshot.can({ type: 'submit' })} />
              <Button text="Clear" onClick={() => send({ type: 'clear' })} />
            </div>
          )
        )}
      </form>
      <ImportOutcome isDone={snapshot.matches('done')} imported={snapshot.context.imported} refused={snapshot.context.refused} />
    </section>
  )
}
