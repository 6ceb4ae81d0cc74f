import { InputGroup } from '@blueprintjs/core'
import { examplesId, getInputProps, type BaseInputTemplateProps } from '@rjsf/utils'
import type { ChangeEvent, JSX } from 'react'
import { useInputProps } from '../fieldState.ts'

type InputProps = BaseInputTemplateProps & {
  /** Shown inside the input, before and after the text. */
  before?: JSX.Element
  after?: JSX.Element
}

/**
 * One line of text. Numbers are typed into a text input with a numeric keyboard, because the mouse wheel
 * would change the value of a number input.
 */
export const BaseInput = (props: InputProps) => {
  const { id, schema, options, type, before, after } = props
  const control = useInputProps(props)
  const inputProps = getInputProps(schema, type, options)
  const numeric = !type && !options.inputType && (inputProps.type === 'number' || isNumber(schema.type))
  const examples = Array.isArray(schema.examples) ? schema.examples : []
  const change = ({ target }: ChangeEvent<HTMLInputElement>) =>
    props.onChange(target.value === '' ? options.emptyValue : target.value)
  return (
    <>
      <InputGroup
        {...(numeric
          ? { type: 'text', inputMode: isWhole(schema.type) ? 'numeric' : 'decimal', autoComplete: 'off' }
          : { autoComplete: 'off', ...inputProps })}
        {...control}
        maxLength={undefined}
        leftElement={before}
        rightElement={after}
        list={examples.length > 0 ? examplesId(id) : undefined}
        onChange={props.onChangeOverride ?? change}
      />
      {examples.length > 0 && (
        <datalist id={examplesId(id)}>
          {examples.map((example) => (
            <option key={String(example)} value={String(example)} />
          ))}
        </datalist>
      )}
    </>
  )
}

const typesOf = (type: unknown): unknown[] => [type].flat()
const isWhole = (type: unknown) => typesOf(type).includes('integer')
const isNumber = (type: unknown) => isWhole(type) || typesOf(type).includes('number')
