import { InputGroup } from '@blueprintjs/core'
import { examplesId, getInputProps, type BaseInputTemplateProps } from '@rjsf/utils'
import type { ChangeEvent, JSX } from 'react'
import { useInputProps } from '../fieldState.ts'

export type InputProps = BaseInputTemplateProps & {
  /** Shown inside the input, before and behind what is typed. */
  before?: JSX.Element
  after?: JSX.Element
}

/** One line of text. Numbers are text with the right keyboard: a number input changes when the wheel turns over it. */
export const BaseInput = (props: InputProps) => {
  const { id, schema, options, type, before, after } = props
  const control = useInputProps(props)
  const given = getInputProps(schema, type, options)
  const numeric = !type && !options.inputType && (given.type === 'number' || isNumber(schema.type))
  const examples = Array.isArray(schema.examples) ? schema.examples : []
  const change = ({ target }: ChangeEvent<HTMLInputElement>) =>
    props.onChange(target.value === '' ? options.emptyValue : target.value)
  return (
    <>
      <InputGroup
        {...(numeric
          ? { type: 'text', inputMode: isWhole(schema.type) ? 'numeric' : 'decimal', autoComplete: 'off' }
          : { autoComplete: 'off', ...given })}
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
