import { Button } from '@blueprintjs/core'
import { DocumentIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'

type Props = {
  /** File extensions with their dot; none for a file of any name. */
  accept: readonly string[]
  text?: string
  /** Several files can be chosen or dropped at once. */
  multiple?: boolean
  disabled?: boolean
  /** Called with each chosen file. */
  onChoose: (file: File) => void
  /** The browser's file dialog was closed without a choice. */
  onCancel?: () => void
  children?: ReactNode
}

/** A button that opens the browser's file dialog, inside an area that accepts dropped files. */
export const FilePicker = (props: Props) => {
  const { accept, multiple = false, disabled = false, onChoose, onCancel, children } = props
  const { text = multiple ? 'Select Files' : 'Select File' } = props
  const choose = (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    for (const file of multiple ? chosen : chosen.slice(0, 1)) onChoose(file)
  }
  const input = useRef<HTMLInputElement>(null)
  // React has no prop for this event.
  useEffect(() => {
    const element = input.current
    if (!element || !onCancel) return
    element.addEventListener('cancel', onCancel)
    return () => element.removeEventListener('cancel', onCancel)
  }, [onCancel])
  const [isDraggedOver, setDraggedOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(false)
    if (!disabled) choose(event.dataTransfer.files)
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
        or drop {multiple ? 'them' : 'it'} here{accept.length > 0 && ` (${accept.join(', ')})`}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        aria-label="File"
        accept={accept.join(',')}
        disabled={disabled}
        onChange={(event) => {
          choose(event.currentTarget.files)
          // Otherwise choosing the same file again, once it is corrected, would fire no event.
          event.currentTarget.value = ''
        }}
      />
      {children}
    </div>
  )
}
