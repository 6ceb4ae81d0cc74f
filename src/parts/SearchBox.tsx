import { Button, InputGroup } from '@blueprintjs/core'
import { CrossIcon, SearchIcon } from '@blueprintjs/icons'
import { useId, useRef, useState } from 'react'

type Props = {
  label: string
  placeholder: string
  value: string
  maxLength: number
  onChange: (text: string) => void
}

/**
 * A search field whose text is kept by the parent (in the URL), which may answer a few keys late. What is
 * typed is shown at once: a `value` that equals a text sent before is such an answer and changes nothing; any
 * other value (the Back button, a link) replaces the text.
 */
export const SearchBox = ({ label, placeholder, value, maxLength, onChange }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ text: value, value, sent: [] as string[] })
  if (value !== typed.value) {
    const answered = typed.sent.indexOf(value)
    setTyped(
      answered >= 0
        ? { ...typed, value, sent: typed.sent.slice(answered + 1) }
        : { text: value, value, sent: [] },
    )
  }
  const change = (text: string) => {
    setTyped({ ...typed, text, sent: [...typed.sent, text] })
    onChange(text)
  }
  const clear = () => {
    change('')
    input.current?.focus()
  }
  return (
    <div className="search-box" role="search">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <InputGroup
        id={id}
        inputRef={input}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        leftIcon={<SearchIcon />}
        placeholder={placeholder}
        value={typed.text}
        onChange={(event) => change(event.currentTarget.value)}
        rightElement={
          typed.text === '' ? undefined : (
            <Button variant="minimal" icon={<CrossIcon />} aria-label="Clear search" onClick={clear} />
          )
        }
      />
    </div>
  )
}
