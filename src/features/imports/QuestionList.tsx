import { Checkbox } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { ImportAnswers, ImportQuestion } from '../../../schemas/imports/answers.ts'

const isAccepted = ({ accepted = [] }: ImportAnswers, { key }: ImportQuestion) => accepted.includes(key)

/** Whether every question is confirmed. */
export const areAllAccepted = (questions: readonly ImportQuestion[], answers: ImportAnswers): boolean =>
  questions.every((question) => isAccepted(answers, question))

/** 'Continue, 1 of 2 confirmed': the button that sends the file with what is confirmed. */
export function describeAccepted(questions: readonly ImportQuestion[], answers: ImportAnswers): string {
  const accepted = questions.filter((question) => isAccepted(answers, question))
  return `Continue, ${accepted.length} of ${questions.length} confirmed`
}

type Props = {
  questions: readonly ImportQuestion[]
  answers: ImportAnswers
  onChange: (answers: ImportAnswers) => void
}

/** What is to be confirmed before a file is imported, each with a check box (imports 40). */
export const QuestionList = ({ questions, answers, onChange }: Props) => {
  const frame = useRef<HTMLFieldSetElement>(null)
  useEffect(() => frame.current?.querySelector('input')?.focus(), [])
  const toggle = (question: ImportQuestion) => {
    const others = (answers.accepted ?? []).filter((key) => key !== question.key)
    onChange({ accepted: isAccepted(answers, question) ? others : [...others, question.key] })
  }
  return (
    <fieldset ref={frame} className="import-ask import-questions">
      <legend>
        <h2>To be confirmed</h2>
      </legend>
      <p>Nothing was stored. Tick what is meant to be so, or choose another file.</p>
      {questions.map((question) => (
        <Checkbox
          key={question.key}
          checked={isAccepted(answers, question)}
          onChange={() => toggle(question)}
          label={question.text}
        />
      ))}
    </fieldset>
  )
}
