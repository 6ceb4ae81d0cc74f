import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import type { ImportAnswers, ImportAsks } from '../../../schemas/imports/answers.ts'
import { areAllAccepted, describeAccepted, QuestionList } from './QuestionList.tsx'
import { isSourceAnswered, proposedSource, SourceQuestion } from './SourceQuestion.tsx'

type Props = {
  asks: ImportAsks
  /** The keys that were accepted before. */
  accepted: readonly string[]
  onAnswer: (answers: ImportAnswers) => void
}

/** What must be said about a file before it is taken, each kind of question with its part (processors 1). */
export const ImportAsksPanel = ({ asks: { source, questions = [] }, accepted, onAnswer }: Props) => {
  const [answers, setAnswers] = useState<ImportAnswers>(() => ({
    ...(source && proposedSource(source)),
    ...(accepted.length && { accepted: [...accepted] }),
  }))
  const change = (more: ImportAnswers) => setAnswers({ ...answers, ...more })
  const isComplete = (!source || isSourceAnswered(source, answers)) && areAllAccepted(questions, answers)
  return (
    <form
      className="import-asks"
      aria-label="Questions about the file"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) onAnswer(answers)
      }}
    >
      {source && <SourceQuestion ask={source} answers={answers} onChange={change} />}
      {questions.length > 0 && <QuestionList questions={questions} answers={answers} onChange={change} />}
      <div className="import-actions">
        <Button
          type="submit"
          intent="primary"
          text={questions.length > 0 ? describeAccepted(questions, answers) : 'Continue'}
          disabled={!isComplete}
        />
      </div>
    </form>
  )
}
