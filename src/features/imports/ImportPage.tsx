import { Button, Callout } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useState, type ComponentProps } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { mappingMachine } from '../../../machines/mapping.machine.ts'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import type { UploadForm, uploadMachine } from '../../../machines/upload.machine.ts'
import type { ImportAnswers } from '../../../schemas/imports/answers.ts'
import { imports, type Import, type ImportName } from '../../../schemas/imports/imports.ts'
import type { Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import { newJobId } from '../../parts/browser.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { LeaveQuestion } from '../../parts/unsaved/LeaveQuestion.tsx'
import { useDraft } from '../../parts/unsaved/useDraft.tsx'
import '../../parts/parts.css'
import './imports.css'
import type { ListMachine } from '../entity/list.ts'
import { ImportAsksPanel } from './ImportAsksPanel.tsx'
import { ImportFaults } from './ImportFaults.tsx'
import { LastImport } from './ImportFigures.tsx'
import { ImportForm } from './ImportForm.tsx'
import { ImportHelp } from './ImportHelp.tsx'
import { ImportHistory, readBatch, useImportHistory } from './ImportHistory.tsx'
import { ImportPreview, summarizePreview } from './ImportPreview.tsx'
import { mappingKey } from './mapping/editMapping.ts'
import { MappingStep } from './mapping/MappingStep.tsx'
import { SavedMappings, type MappingMachines } from './mapping/SavedMappings.tsx'
import { RunningImports } from './RunningImports.tsx'

type ImportMachines = {
  upload: typeof uploadMachine
  running: typeof loadMachine
  history: ListMachine
  oneBatch: (batch: number) => ListMachine
  undo: typeof undoMachine
  /** Its id is the format of the template: csv or xlsx. */
  template: typeof downloadMachine
  rejected: (form: UploadForm) => typeof downloadMachine
  mapping: typeof mappingMachine
  mappings: MappingMachines
}
type Props = { kind: ImportName; machines: ImportMachines }

/** The screen of one kind of import: the form, its result and the history (imports 1). */
export const ImportPage = ({ kind, machines }: Props) => {
  const batch = readBatch(useSearchParams()[0])
  return <ImportScreen key={`${kind} ${batch}`} definition={imports[kind]} {...{ machines, batch }} />
}

type ScreenProps = { definition: Import; machines: ImportMachines; batch: number | null }

const ImportScreen = ({ definition, machines, batch }: ScreenProps) => {
  const [historyMachine] = useState(() => (batch === null ? machines.history : machines.oneBatch(batch)))
  const history = useImportHistory(historyMachine)
  const [uploadWithActions] = useState(() =>
    machines.upload.provide({ actions: { reloadHistory: history.showNewest } }),
  )
  const [snapshot, send] = useActor(uploadWithActions, {
    ...useActorEnvironment(),
    input: { kind: definition.name, dated: definition.dated === true },
  })
  const { kind, file, date, answers, asks, preview, refused, imported } = snapshot.context
  const faultProps = { form: { kind, file, date, answers }, rejected: machines.rejected }
  return (
    <section className="import-page">
      <header className="page-head">
        <h1>{definition.title}</h1>
      </header>
      <ImportHelp definition={definition} template={machines.template} />
      <ImportForm definition={definition} snapshot={snapshot} send={send} />
      {snapshot.matches('uploading') && snapshot.context.job?.purpose !== 'preview' && (
        <LeaveQuestion>{file?.name} is not imported yet.</LeaveQuestion>
      )}
      <ImportQuestions {...{ definition, machines, snapshot, send }} />
      <div role="status">
        {snapshot.matches('done') && (
          <Callout compact intent="success">
            <strong>Data Imported Successfully</strong>
          </Callout>
        )}
        {asks && <span className="visually-hidden">The portal asks about the file. Nothing was stored.</span>}
        {preview && <span className="visually-hidden">{summarizePreview(preview)}</span>}
        {refused && !asks && (
          <span className="visually-hidden">
            Nothing was imported. What is wrong in the file is listed below.
          </span>
        )}
      </div>
      {imported && <LastImport imported={imported} />}
      {preview && <ImportPreview preview={preview} />}
      {preview && preview.rows.length > 0 && (
        <ImportFaults
          title={preview.rejected > 0 ? 'Rejected rows' : 'What differs in the file'}
          refused={preview}
          hasNoRows={preview.rejected === 0}
          {...faultProps}
        />
      )}
      {refused && <ImportFaults title="Nothing was imported" refused={refused} {...faultProps} />}
      <ImportHistory {...{ definition, history, batch }} undo={machines.undo}>
        <RunningImports machine={machines.running} except={snapshot.context.job?.id} onEnd={history.reload} />
      </ImportHistory>
      <SavedMappings machines={machines.mappings} version={imported} />
    </section>
  )
}

type QuestionsProps = Pick<ScreenProps, 'definition' | 'machines'> &
  Pick<ComponentProps<typeof ImportForm>, 'snapshot' | 'send'>

/** What is asked about the file; once its columns were chosen, the way back to them (mapping 3). */
const ImportQuestions = ({ definition, machines, snapshot, send }: QuestionsProps) => {
  const { file, answers, asks } = snapshot.context
  const [accepted, setAccepted] = useState<{ fingerprint: string; mapping: Mapping } | null>(null)
  // The step is gone while the file is sent with them.
  const sent = useDraft(accepted && mappingKey(definition.name, accepted.fingerprint))
  useEffect(() => sent.type(answers.mapping ?? null))
  const answer = (given: ImportAnswers) => send({ type: 'answer', answers: given, job: newJobId() })
  const proposal = asks?.mapping
  if (proposal)
    return (
      <MappingStep
        key={JSON.stringify(proposal.sheets)}
        definition={definition}
        proposal={
          accepted?.fingerprint === proposal.fingerprint
            ? { ...proposal, mapping: accepted.mapping }
            : proposal
        }
        machine={machines.mapping}
        draftId={mappingKey(definition.name, proposal.fingerprint)}
        onAccept={(mapping) => {
          setAccepted({ fingerprint: proposal.fingerprint, mapping })
          answer({ mapping })
        }}
        onHeadings={(headings) => answer({ headings })}
        onCancel={() => send({ type: 'clear' })}
      />
    )
  if (asks) return <ImportAsksPanel asks={asks} accepted={answers.accepted ?? []} onAnswer={answer} />
  if (!file || !answers.mapping || snapshot.matches('uploading')) return null
  return (
    <div className="import-actions">
      <Button
        text="Choose the columns again"
        onClick={() => {
          send({ type: 'choose', file })
          send({ type: 'preview', job: newJobId() })
        }}
      />
    </div>
  )
}
