import { Button } from '@blueprintjs/core'
import { DocumentIcon } from '@blueprintjs/icons'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'

type Props = {
  /** File extensions with their dot; none for a file of any name. */
  accept: readonly string[]
  text?: string
  disabled?: boolean
  onChoose: (file: File) => void
  /** The browser's file dialog was closed without a choice. */
  onCancel?: () => void
  children?: ReactNode
}

/** A button that opens the browser's file dialog, inside an area that accepts a dropped file. */
export const FilePicker = (props: Props) => {
  const { accept, text = 'Select File', disabled = false, onChoose, onCancel, children } = props
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onChoose(file)
  }
  const dragOver = (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(!disabled)
  }
  return (
    <div
      className={`file-picker${isDraggedOver ? ' file-picker-over' : ''}`}
      onDragOver={dragOver}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <Button
        icon={<DocumentIcon />}
        text={text}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <span className="file-picker-hint">
        or drop it here{accept.length > 0 && ` (${accept.join(', ')})`}
      </span>
      <input
        ref={(element) => {
          input.current = element
          // React has no prop for this event.
          element?.addEventListener('cancel', () => onCancel?.())
        }}
        type="file"
        hidden
        aria-label="File"
        accept={accept.join(',')}
        disabled={disabled}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // Otherwise choosing the same file again, once it is corrected, would fire no event.
          event.currentTarget.value = ''
          if (file) onChoose(file)
        }}
      />
      {children}
    </div>
  )
}
