import { Button, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { InboxAnswers } from '../../../schemas/api/inbox/answers.ts'
import type { InboxAsks, InboxFile } from '../../../schemas/api/inbox/inbox.ts'
import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import { isImportName } from '../../../schemas/imports/kinds.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { ImportAsksPanel } from '../imports/ImportAsksPanel.tsx'
import { mappingKey } from '../imports/mapping/editMapping.ts'
import { MappingStep } from '../imports/mapping/MappingStep.tsx'
import { kindTitle, type InboxMachines } from './inbox.ts'
import '../../parts/fields/required.css'

type Props = {
  file: InboxFile
  mapping: InboxMachines['mapping']
  onAnswer: (answers: InboxAnswers) => void
  onCancel: () => void
}

/** What is asked about a file: its kind, its day, or what its import asks (inbox 4). */
export const InboxQuestions = ({ file: { id, kind, asks, answers }, mapping, onAnswer, onCancel }: Props) => {
  if (!asks) return null
  const answer = (more: InboxAnswers) => onAnswer({ ...answers, ...more })
  if (asks.kind) return <KindQuestion question={asks.kind} onAnswer={(kind) => answer({ kind })} />
  if (asks.date) return <DayQuestion onAnswer={(date) => answer({ date })} />
  if (asks.mapping && isImportName(kind ?? ''))
    return (
      <MappingStep
        definition={imports[kind as ImportName]}
        proposal={asks.mapping}
        machine={mapping}
        draftId={mappingKey(kind ?? '', asks.mapping.fingerprint, id)}
        onAccept={(chosen) => answer({ mapping: chosen })}
        onHeadings={(headings) => answer({ headings })}
        onCancel={onCancel}
      />
    )
  return <ImportAsksPanel asks={asks} accepted={answers.accepted ?? []} onAnswer={answer} />
}

type KindProps = { question: NonNullable<InboxAsks['kind']>; onAnswer: (kind: ImportName) => void }

const KindQuestion = ({ question: { candidates, proposed }, onAnswer }: KindProps) => {
  const [kind, setKind] = useState<string>(proposed ?? '')
  const id = useId()
  const others = (Object.keys(imports) as ImportName[]).filter((name) => !candidates.includes(name))
  return (
    <form
      className="inbox-question"
      onSubmit={(event) => {
        event.preventDefault()
        if (isImportName(kind)) onAnswer(kind)
      }}
    >
      <FormGroup label={<span className="form-required">Kind</span>} labelFor={id}>
        <HTMLSelect
          id={id}
          autoFocus
          required
          iconProps={{ title: undefined, 'aria-hidden': true }}
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value)}
        >
          <option value="">Choose a kind</option>
          {[...candidates, ...others].map((name) => (
            <option key={name} value={name}>
              {kindTitle(name)}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <Button type="submit" intent="primary" text="Continue" disabled={!isImportName(kind)} />
    </form>
  )
}

const DayQuestion = ({ onAnswer }: { onAnswer: (day: string) => void }) => {
  const [day, setDay] = useState<string | null>(null)
  return (
    <form
      className="inbox-question"
      onSubmit={(event) => {
        event.preventDefault()
        if (day !== null) onAnswer(day)
      }}
    >
      <DateField label="Date" value={day} onChange={setDay} />
      <Button type="submit" intent="primary" text="Continue" disabled={day === null} />
    </form>
  )
}
