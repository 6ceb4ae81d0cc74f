import { Button } from '@blueprintjs/core'
import { CrossIcon, PaperclipIcon } from '@blueprintjs/icons'
import { useEffect, useId, useRef } from 'react'
import type { AttachedFile as Chosen } from '../../../machines/ticket.machine.ts'
import { attachmentLimits } from '../../../schemas/entities/ticket.ts'
import { formatBytes } from '../../parts/format.ts'

type Props = {
  files: readonly Chosen[]
  refused: readonly string[]
  fault: string | undefined
  disabled: boolean
  onAttach: (files: Chosen[]) => void
  onDetach: (index: number) => void
}
const { count, megabytes } = attachmentLimits

/**
 * The chosen attachments, and what was refused. A hidden field holds each file, for a form that the browser
 * itself posts.
 */
export const TicketAttachments = ({ files, refused, fault, disabled, onAttach, onDetach }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const problems = [...refused, ...(fault ? [fault] : [])]
  return (
    <fieldset className="ticket-attachments">
      <legend>Attachments</legend>
      <p id={`${id}-limits`}>
        Up to {count} files of up to {megabytes} MB each
      </p>
      {files.length > 0 && (
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
              <FileField file={file} name={`attachment_${index + 1}`} />
            </li>
          ))}
        </ul>
      )}
      <div role="status" className="ticket-refused">
        {problems.map((text) => (
          <p key={text}>{text}</p>
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
          // The same file may be chosen again after it was removed.
          event.currentTarget.value = ''
          if (chosen.length > 0) onAttach(chosen)
        }}
      />
    </fieldset>
  )
}

/** A field of the form that holds one file. */
const FileField = ({ file, name }: { file: Chosen; name: string }) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!(file.content instanceof File) || typeof DataTransfer === 'undefined') return
    const carrier = new DataTransfer()
    carrier.items.add(file.content)
    field.current!.files = carrier.files
  }, [file])
  return <input ref={field} type="file" name={name} hidden tabIndex={-1} aria-hidden="true" />
}
