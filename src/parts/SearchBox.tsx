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
 * A search text that lives elsewhere (in the URL). What is typed shows at once and is never taken back by its
 * own echo, which may come a few keys late; a value from outside (Back, a link) replaces the text.
 */
export const SearchBox = ({ label, placeholder: hint, value, maxLength: most, onChange }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ text: value, seen: value, sent: [] as string[] })
  if (value !== typed.seen) {
    const echo = typed.sent.indexOf(value)
    setTyped(
      echo >= 0
        ? { ...typed, seen: value, sent: typed.sent.slice(echo + 1) }
        : { text: value, seen: value, sent: [] },
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
        maxLength={most}
        leftIcon={<SearchIcon />}
        placeholder={hint}
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
