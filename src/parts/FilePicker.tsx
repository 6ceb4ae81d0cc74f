import { Button } from '@blueprintjs/core'
import { DocumentIcon } from '@blueprintjs/icons'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'

type Props = {
  /** Endings with their dot. */
  accept: readonly string[]
  disabled?: boolean
  onChoose: (file: File) => void
  /** The browser's file dialog was closed without a choice. */
  onCancel?: () => void
  children?: ReactNode
}

/** A button that opens the browser's file dialog, inside an area that takes a dropped file. */
export const FilePicker = ({ accept, disabled = false, onChoose, onCancel, children }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onChoose(file)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(!disabled)
  }
  return (
    <div
      className={`file-picker${isOver ? ' file-picker-over' : ''}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Button
        icon={<DocumentIcon />}
        text="Select File"
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <span className="file-picker-hint">or drop it here ({accept.join(', ')})</span>
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
          // The same file may be chosen again after it was corrected.
          event.currentTarget.value = ''
          if (file) onChoose(file)
        }}
      />
      {children}
    </div>
  )
}
