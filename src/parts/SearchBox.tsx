import { Button, InputGroup } from '@blueprintjs/core'
import { CrossIcon, SearchIcon } from '@blueprintjs/icons'
import { useId, useLayoutEffect, useRef, useState } from 'react'

type Props = {
  label: string
  placeholder: string
  value: string
  maxLength: number
  onChange: (text: string) => void
}

/**
 * A search field whose text is kept by the parent (in the URL), which may answer a few keys late. The field
 * itself holds what is typed, so that no key is lost while the parent renders: a `value` that equals a text
 * sent before is such an answer and changes nothing; any other value (the Back button, a link) replaces the
 * text.
 */
export const SearchBox = ({ label, placeholder, value, maxLength, onChange }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef<readonly string[]>([])
  const [isEmpty, setEmpty] = useState(value === '')
  const show = (text: string) => {
    if (input.current) input.current.value = text
    setEmpty(text === '')
  }
  useLayoutEffect(() => {
    const answered = sent.current.indexOf(value)
    sent.current = answered < 0 ? [] : sent.current.slice(answered)
    if (answered < 0) show(value)
  }, [value])
  const change = (text: string) => {
    sent.current = [...sent.current, text]
    setEmpty(text === '')
    onChange(text)
  }
  const clear = () => {
    show('')
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
        defaultValue={value}
        onChange={(event) => change(event.currentTarget.value)}
        rightElement={
          isEmpty ? undefined : (
            <Button variant="minimal" icon={<CrossIcon />} aria-label="Clear search" onClick={clear} />
          )
        }
      />
    </div>
  )
}
