import { FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { ImportAnswers, SourceAsk } from '../../../schemas/imports/answers.ts'
import { similarName } from '../../../schemas/imports/similarName.ts'
import { recentMonths } from '../../forms/widgets/recentMonths.ts'
import { formatMonth } from '../../parts/format.ts'
import '../../parts/fields/required.css'

/** How many months are offered, the current one first. */
const offeredMonths = 36

/** Whether every part of the question has an answer. */
export const isSourceAnswered = ({ needs }: SourceAsk, { month, processor }: ImportAnswers): boolean =>
  needs.every((need) => ((need === 'month' ? month : processor) ?? '').trim() !== '')

/** A processor that is like no known one is proposed as a new one (processors 1). */
export const proposedSource = ({ named, nearest }: SourceAsk): ImportAnswers =>
  named !== null && nearest === null ? { processor: named, newprocessor: true } : {}

type Props = { ask: SourceAsk; answers: ImportAnswers; onChange: (answers: ImportAnswers) => void }

/** Asks for the month and the processor of a file that does not say them (processors 1). */
export const SourceQuestion = ({ ask, answers, onChange }: Props) => {
  const { needs, month, processor, named, nearest } = ask
  const [months] = useState(() => recentMonths(offeredMonths, 0))
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const button = frame.current?.closest('form')?.querySelector<HTMLButtonElement>('[type=submit]')
    const isAnswered = button?.disabled === false
    ;(isAnswered ? button : frame.current?.querySelector('select'))?.focus()
  }, [])
  return (
    <div ref={frame} className="import-ask">
      <h2>What the file does not say</h2>
      <p>
        {named === null
          ? `It does not say of which ${needs.join(' and ')} it is.`
          : `It names the processor “${named}”, which is not known` +
            (needs.includes('month') ? ', and no month.' : '.') +
            (nearest === null ? '' : ` The nearest known one is ${nearest}.`)}
        {processor !== null && ` Its processor is ${processor}.`}
        {month !== null && ` Its month is ${formatMonth(month)}.`}
      </p>
      {needs.includes('month') && (
        <FormGroup label={<span className="form-required">Month</span>} labelFor={`${id}-month`}>
          <HTMLSelect
            id={`${id}-month`}
            fill
            required
            iconProps={{ title: undefined, 'aria-hidden': true }}
            value={answers.month ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ month: value || undefined })}
          >
            <option value="">Choose a month</option>
            {months.map((it) => (
              <option key={it} value={it}>
                {formatMonth(it)}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
      )}
      {needs.includes('processor') && <ProcessorChoice {...{ ask, answers, onChange }} />}
    </div>
  )
}

/** A choice among the known processors, the most similar first, or a new one by its name. */
const ProcessorChoice = ({ ask: { candidates, named }, answers, onChange }: Props) => {
  const id = useId()
  const similar = answers.newprocessor ? similarName(answers.processor ?? '', candidates) : null
  const chosen = answers.newprocessor ? 'new' : answers.processor === undefined ? '' : `=${answers.processor}`
  const choose = (value: string) =>
    onChange(
      value === 'new'
        ? { processor: named ?? '', newprocessor: true }
        : { processor: value === '' ? undefined : value.slice(1), newprocessor: undefined },
    )
  return (
    <>
      <FormGroup label={<span className="form-required">Processor</span>} labelFor={`${id}-processor`}>
        <HTMLSelect
          id={`${id}-processor`}
          fill
          required
          iconProps={{ title: undefined, 'aria-hidden': true }}
          value={chosen}
          onChange={({ currentTarget: { value } }) => choose(value)}
        >
          <option value="">Choose a processor</option>
          {candidates.map((name) => (
            <option key={name} value={`=${name}`}>
              {name}
            </option>
          ))}
          <option value="new">
            {named === null ? 'Add a new processor' : `Add “${named}” as a new processor`}
          </option>
        </HTMLSelect>
      </FormGroup>
      {answers.newprocessor && (
        <FormGroup
          label={<span className="form-required">Name of the new processor</span>}
          labelFor={`${id}-name`}
          intent={similar === null ? 'none' : 'warning'}
          helperText={
            <span id={`${id}-similar`} role="status">
              {similar !== null &&
                `“${answers.processor}” is almost the name of ${similar}. If it is the same processor, ` +
                  `choose ${similar}: as a new one its income would count twice.`}
            </span>
          }
        >
          <InputGroup
            id={`${id}-name`}
            aria-describedby={`${id}-similar`}
            required
            maxLength={60}
            value={answers.processor ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ processor: value })}
          />
        </FormGroup>
      )}
    </>
  )
}
