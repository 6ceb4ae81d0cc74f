import { Button, Callout, FormGroup, InputGroup, Spinner } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { Purpose, uploadMachine } from '../../../machines/upload.machine.ts'
import { uploadTypes } from '../../../schemas/constants.ts'
import { fileNameFault, suggestFileName } from '../../../schemas/imports/fileName.ts'
import type { Repeated, ImportProgress } from '../../../schemas/imports/importReplies.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { newJobId } from '../../parts/browser.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { FilePicker } from '../../parts/FilePicker.tsx'
import { describeRepeated } from './ImportFigures.tsx'
import { ProgressLine, WorkProgress } from './WorkProgress.tsx'

type UploadProgressProps = {
  purpose: Purpose
  percent: number
  work: ImportProgress | null
  onCancel: () => void
}

/** Percent while the file is sent, then the server's phase and its number of rows (imports 18). */
const UploadProgress = ({ purpose, percent, work, onCancel }: UploadProgressProps) => (
  <>
    <Spinner size={20} aria-label="Uploading" />
    {percent >= 100 ? (
      <WorkProgress work={work} isPreview={purpose === 'preview'} />
    ) : (
      <ProgressLine text={`Uploading, ${Math.round(percent)} %`} fraction={percent / 100} />
    )}
    <Button text="Cancel" onClick={onCancel} />
  </>
)

type ImportFormProps = {
  definition: Import
  snapshot: SnapshotFrom<typeof uploadMachine>
  send: (event: EventFromLogic<typeof uploadMachine>) => void
}

/** The file, for daily volume its day; Submit, Preview and Clear once a file is chosen (imports 1). */
export const ImportForm = ({ definition, snapshot, send }: ImportFormProps) => {
  const [wasCancelled, setCancelled] = useState(false)
  const { file, date, repeated } = snapshot.context
  const isUploading = snapshot.matches('uploading')
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
        onCancel={() => setCancelled(true)}
      />
      <FileName
        name={file?.name ?? ''}
        isChecked={file !== null || wasCancelled}
        onRename={(name) => send({ type: 'rename', name })}
      />
      {definition.dated && (
        <DateField
          label="Date"
          value={date}
          disabled={isUploading || snapshot.matches('asked')}
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
      <ImportActions {...{ snapshot, send }} />
    </form>
  )
}

/** The buttons once a file is chosen; while it is sent, its progress in their place. */
const ImportActions = ({ snapshot, send }: Pick<ImportFormProps, 'snapshot' | 'send'>) => {
  const { file, job, percent, work, preview, repeated } = snapshot.context
  const isUploading = snapshot.matches('uploading')
  const actions = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A focused button that is removed would leave the focus at the top of the page.
    if (document.activeElement === document.body) actions.current?.focus({ preventScroll: true })
  }, [isUploading, preview])
  return (
    file && (
      <div ref={actions} tabIndex={-1} className="import-actions">
        {isUploading ? (
          <UploadProgress
            purpose={job?.purpose ?? 'import'}
            percent={percent}
            work={work}
            onCancel={() => send({ type: 'cancel' })}
          />
        ) : (
          <>
            <Button
              type="submit"
              intent={repeated || preview?.rows.length ? 'none' : 'primary'}
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
    )
  )
}

type FileNameProps = {
  name: string
  /** Shows what is wrong with the name: once a file was chosen or the file dialog cancelled. */
  isChecked: boolean
  onRename: (name: string) => void
}

/** The read-only name of the file, with its fault and the nearest allowed name (imports 2). */
const FileName = ({ name, isChecked, onRename }: FileNameProps) => {
  const id = useId()
  const fault = isChecked ? fileNameFault(name) : null
  const suggestion = fault && name !== '' ? suggestFileName(name) : null
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
            {suggestion && (
              <Button size="small" text={`Use “${suggestion}”`} onClick={() => onRename(suggestion)} />
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
  )
}

type RepeatedImportNoticeProps = Repeated & { isReady: boolean; onAgain: () => void }

/** Says who imported the same file when, and offers to import it anyway (imports 17). */
const RepeatedImportNotice = ({ isReady, onAgain, ...repeated }: RepeatedImportNoticeProps) => (
  <Callout compact intent="warning" role="alert" className="import-before">
    <span>{describeRepeated(repeated)}</span>
    <Button size="small" text="Import anyway" disabled={!isReady} onClick={onAgain} />
  </Callout>
)
