import { Button } from '@blueprintjs/core'
import { CrossIcon, PaperclipIcon } from '@blueprintjs/icons'
import { useEffect, useId, useRef } from 'react'
import type { AttachedFile } from '../../../machines/ticket.machine.ts'
import { attachmentLimits } from '../../../schemas/entities/ticket.ts'
import { formatBytes } from '../../parts/downloads.ts'

type Props = {
  files: readonly AttachedFile[]
  refused: readonly string[]
  fault: string | undefined
  disabled: boolean
  onAttach: (files: AttachedFile[]) => void
  onDetach: (index: number) => void
}
const { count, megabytes } = attachmentLimits

/** The chosen files, and messages about those that were refused (tickets 4). */
export const TicketAttachments = ({ files, refused, fault, disabled, onAttach, onDetach }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const messages = [...refused, ...(fault ? [fault] : [])]
  return (
    <fieldset className="ticket-attachments">
      <legend>Attachments</legend>
      <p id={`${id}-limits`}>
        Up to {count} files of up to {megabytes} MB each
      </p>
      {files.length > 0 && <ChosenFiles {...{ files, disabled, onDetach }} />}
      <div role="status" className="ticket-refused">
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      <Button
        icon={<PaperclipIcon />}
        text="Attach files"
        aria-describedby={`${id}-limits`}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])].map((file) => ({
            content: file,
            name: file.name,
            size: file.size,
          }))
          // Otherwise choosing a file again after it was removed would fire no event.
          event.currentTarget.value = ''
          if (chosen.length > 0) onAttach(chosen)
        }}
      />
    </fieldset>
  )
}

const ChosenFiles = ({ files, disabled, onDetach }: Pick<Props, 'files' | 'disabled' | 'onDetach'>) => (
  <ul>
    {files.map((file, index) => (
      <li key={`${index} ${file.name}`}>
        <span className="ticket-file">{file.name}</span>
        <span className="ticket-size">{formatBytes(file.size)}</span>
        <Button
          size="small"
          variant="minimal"
          icon={<CrossIcon />}
          aria-label={`Remove ${file.name}`}
          disabled={disabled}
          onClick={() => onDetach(index)}
        />
        <HiddenFileInput file={file} name={`attachment_${index + 1}`} />
      </li>
    ))}
  </ul>
)

/** Holds one file for a form that the browser itself posts (tickets 6). */
const HiddenFileInput = ({ file, name }: { file: AttachedFile; name: string }) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!(file.content instanceof File) || typeof DataTransfer === 'undefined') return
    // The files of an input can only be set from a DataTransfer.
    const transfer = new DataTransfer()
    transfer.items.add(file.content)
    input.current!.files = transfer.files
  }, [file])
  return <input ref={input} type="file" name={name} hidden tabIndex={-1} aria-hidden="true" />
}
