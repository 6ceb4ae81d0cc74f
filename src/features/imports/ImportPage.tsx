import { Callout } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useState } from 'react'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import type { Form, uploadMachine } from '../../../machines/upload.machine.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { useGiven } from '../../parts/actorOptions.ts'
import '../../parts/parts.css'
import './imports.css'
import type { ListMachine } from '../entity/list.ts'
import { ImportFaults } from './ImportFaults.tsx'
import { LastImport } from './ImportFigures.tsx'
import { ImportForm } from './ImportForm.tsx'
import { ImportHelp } from './ImportHelp.tsx'
import { ImportHistory, useHistory } from './ImportHistory.tsx'
import { ImportPreview, summaryOf } from './ImportPreview.tsx'

export type ImportMachines = {
  upload: typeof uploadMachine
  history: ListMachine
  undo: typeof undoMachine
  /** Of the format its id names: csv, xlsx. */
  template: typeof downloadMachine
  rejected: (form: Form) => typeof downloadMachine
}
type Props = { it: Import; machines: ImportMachines }

/** The screen that imports one kind of file: the form, what came of it, and what was imported before. */
export const ImportPage = (props: Props) => <ImportScreen key={props.it.name} {...props} />

const ImportScreen = ({ it, machines }: Props) => {
  const history = useHistory(machines.history)
  const [wired] = useState(() => machines.upload.provide({ actions: { reloadHistory: history.showNewest } }))
  const [snapshot, send] = useActor(wired, {
    ...useGiven(),
    input: { kind: it.name, dated: it.dated === true },
  })
  const { kind, file, date, preview, refused, imported } = snapshot.context
  const faults = { form: { kind, file, date }, rejected: machines.rejected }
  return (
    <section className="import-page">
      <header className="page-head">
        <h1>{it.title}</h1>
      </header>
      <ImportHelp it={it} template={machines.template} />
      <ImportForm it={it} snapshot={snapshot} send={send} />
      <div role="status">
        {snapshot.matches('done') && (
          <Callout compact intent="success">
            <strong>Data Imported Successfully</strong>
          </Callout>
        )}
        {preview && <span className="visually-hidden">{summaryOf(preview)}</span>}
      </div>
      {imported && <LastImport imported={imported} />}
      {preview && <ImportPreview preview={preview} />}
      {preview && preview.rejected > 0 && (
        <ImportFaults title="Rejected rows" refused={preview} {...faults} />
      )}
      {refused && <ImportFaults title="Nothing was imported" refused={refused} {...faults} />}
      <ImportHistory it={it} history={history} undo={machines.undo} />
    </section>
  )
}
