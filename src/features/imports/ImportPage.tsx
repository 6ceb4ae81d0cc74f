import { Callout } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useState } from 'react'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import type { UploadForm, uploadMachine } from '../../../machines/upload.machine.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import '../../parts/parts.css'
import './imports.css'
import type { ListMachine } from '../entity/list.ts'
import { ImportFaults } from './ImportFaults.tsx'
import { LastImport } from './ImportFigures.tsx'
import { ImportForm } from './ImportForm.tsx'
import { ImportHelp } from './ImportHelp.tsx'
import { ImportHistory, useImportHistory } from './ImportHistory.tsx'
import { ImportPreview, summarizePreview } from './ImportPreview.tsx'

type ImportMachines = {
  upload: typeof uploadMachine
  history: ListMachine
  undo: typeof undoMachine
  /** Its id is the format of the template: csv or xlsx. */
  template: typeof downloadMachine
  rejected: (form: UploadForm) => typeof downloadMachine
}
type Props = { definition: Import; machines: ImportMachines }

/** The screen of one kind of import: the form, its result and the history (imports 1). */
export const ImportPage = (props: Props) => <ImportScreen key={props.definition.name} {...props} />

const ImportScreen = ({ definition, machines }: Props) => {
  const history = useImportHistory(machines.history)
  const [uploadWithActions] = useState(() =>
    machines.upload.provide({ actions: { reloadHistory: history.showNewest } }),
  )
  const [snapshot, send] = useActor(uploadWithActions, {
    ...useActorEnvironment(),
    input: { kind: definition.name, dated: definition.dated === true },
  })
  const { kind, file, date, preview, refused, imported } = snapshot.context
  const faultProps = { form: { kind, file, date }, rejected: machines.rejected }
  return (
    <section className="import-page">
      <header className="page-head">
        <h1>{definition.title}</h1>
      </header>
      <ImportHelp definition={definition} template={machines.template} />
      <ImportForm definition={definition} snapshot={snapshot} send={send} />
      <div role="status">
        {snapshot.matches('done') && (
          <Callout compact intent="success">
            <strong>Data Imported Successfully</strong>
          </Callout>
        )}
        {preview && <span className="visually-hidden">{summarizePreview(preview)}</span>}
      </div>
      {imported && <LastImport imported={imported} />}
      {preview && <ImportPreview preview={preview} />}
      {preview && preview.rejected > 0 && (
        <ImportFaults title="Rejected rows" refused={preview} {...faultProps} />
      )}
      {refused && <ImportFaults title="Nothing was imported" refused={refused} {...faultProps} />}
      <ImportHistory definition={definition} history={history} undo={machines.undo} />
    </section>
  )
}
