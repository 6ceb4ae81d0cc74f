import { Button, Checkbox, InputGroup, Tag, type Intent } from '@blueprintjs/core'
import { useEffect, useState, type FormEvent } from 'react'
import { Link } from 'react-router-dom'
import type { MonthDetail } from '../../../schemas/api/months/months.ts'
import type { MonthFile } from '../../../schemas/api/months/work.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { formatCount, formatDollars, formatLocalDateTime } from '../../parts/format.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { TableHeads } from '../../parts/table/TableHeads.tsx'
import type { DraftValues } from '../../parts/unsaved/draftStorage.ts'
import { Unsaved } from '../../parts/unsaved/Unsaved.tsx'
import type { MonthActor } from '../payouts/payouts.ts'
import { differenceOf, fileState, type FileState } from './monthSteps.ts'
import { changedDrafts, faultyDrafts, totalsOf, typedOf, type Drafts, type Typed } from './typedTotals.ts'

type Props = MonthActor & { detail: MonthDetail; canImport: boolean; username: string }

const figures = new Set(['Rows', 'Net', 'Stated Net', 'Difference'])
const heads = ['Processor', 'File', 'Rows', 'Imported', 'Net', 'Stated Net', 'Difference', 'State'].map(
  (text) => ({ text, isFigure: figures.has(text) }),
)

/** What each processor has sent, beside the total of its statement, which is typed here (cockpit 2). */
export const MonthFiles = ({ snapshot, send, detail, canImport, username }: Props) => {
  const { statements, processors } = detail
  const [drafts, setDrafts] = useState<Drafts>({})
  const [wrong, setWrong] = useState<readonly string[]>([])
  useEffect(() => setDrafts((before) => changedDrafts(before, statements)), [statements])
  const changed = changedDrafts(drafts, statements)
  const hasChanged = Object.keys(changed).length > 0
  const isBusy = !snapshot.matches('open')
  const canType = snapshot.context.allowed.typeTotals && detail.state === 'open'
  const restore = (draft: DraftValues) =>
    setDrafts(changedDrafts({ ...drafts, ...(draft as Drafts) }, statements))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const faulty = faultyDrafts(changed)
    setWrong(faulty)
    if (faulty.length === 0 && hasChanged) send({ type: 'saveTotals', totals: totalsOf(changed, statements) })
  }
  if (processors.length === 0)
    return (
      <p className="payout-hint">
        No processor is expected and no file is here yet. {canImport && <ImportLink />}
      </p>
    )
  return (
    <form onSubmit={save} noValidate>
      <Unsaved
        {...{ username }}
        form={['totals', detail.month]}
        typed={canType && hasChanged ? changed : null}
        onRestore={canType ? restore : null}
        isSent={snapshot.context.done === 'total'}
      />
      <FilesFrame>
        {processors.map((it) => (
          <ProcessorRow
            key={it.processor}
            {...{ processor: it, detail, canImport }}
            isWrong={wrong.includes(it.processor)}
            typed={
              drafts[it.processor] ?? typedOf(statements.find(({ processor }) => processor === it.processor))
            }
            onType={canType ? (typed) => setDrafts({ ...drafts, [it.processor]: typed }) : null}
          />
        ))}
      </FilesFrame>
      <Faults of={wrong} />
      {canType && (
        <Button
          type="submit"
          text="Save Totals"
          intent="primary"
          disabled={!hasChanged || isBusy}
          loading={snapshot.matches('working') && snapshot.context.question?.step === 'total'}
        />
      )}
    </form>
  )
}

const Faults = ({ of }: { of: readonly string[] }) =>
  of.length > 0 && (
    <p role="alert" className="month-fault">
      {of.join(', ')}: Stated Net is an amount like 1,234.56
    </p>
  )

const ImportLink = () => <Link to={imports.compdata.path}>{imports.compdata.title}</Link>

const FilesFrame = ({ children }: { children: React.ReactNode }) => (
  <TableFrame label="Processors" className="month-scroll">
    <TableHeads heads={heads} />
    <tbody>{children}</tbody>
  </TableFrame>
)

const stateTags: Record<FileState, [text: string, intent: Intent]> = {
  in: ['In', 'success'],
  corrected: ['Corrected', 'success'],
  none: ['None this month', 'none'],
  missing: ['Missing', 'danger'],
  unexpected: ['Not expected', 'none'],
}

type RowProps = Pick<Props, 'detail' | 'canImport'> & {
  processor: MonthDetail['processors'][number]
  typed: Typed
  isWrong: boolean
  /** Null where the viewer may not type it, and while the month is locked. */
  onType: ((typed: Typed) => void) | null
}

const ProcessorRow = ({ processor, detail, canImport, ...cells }: RowProps) => {
  const own = detail.files.filter((it) => it.processor === processor.processor)
  const files = own.filter(({ rows }, index) => rows > 0 || index === own.length - 1)
  const state = fileState(processor, detail)
  const [text, intent] = stateTags[state]
  const difference = differenceOf(processor)
  return (
    <tr>
      <th scope="row" className="table-first">
        {processor.processor}
      </th>
      <td>
        <FileNames files={files} canImport={canImport} />
        {state === 'missing' && canImport && <ImportLink />}
      </td>
      <td className="table-figures">
        {files.length > 0 && formatCount(files.reduce((sum, { rows }) => sum + rows, 0))}
      </td>
      <td>{files.length > 0 && <Imported {...files.at(-1)!} />}</td>
      <td className="table-figures">{processor.file !== null && formatDollars(processor.net)}</td>
      <StatedCell processor={processor} {...cells} />
      <td className={`table-figures ${difference === 0 ? '' : 'month-differs'}`}>
        {difference === 0 ? 'None' : formatDollars(difference)}
      </td>
      <td>
        <Tag minimal intent={intent}>
          {text}
        </Tag>
      </td>
    </tr>
  )
}

const Imported = ({ username, at }: MonthFile) => (
  <>
    {username}, <span className="month-imported">{formatLocalDateTime(at)}</span>
  </>
)

const FileNames = ({ files, canImport }: { files: readonly MonthFile[]; canImport: boolean }) =>
  files.map(({ batch, filename }) => (
    <span key={batch} className="month-file">
      {canImport ? <Link to={`${imports.compdata.path}?batch=${batch}`}>{filename}</Link> : filename}
    </span>
  ))

const StatedCell = ({
  processor: { processor, file, statednet },
  typed,
  isWrong,
  onType,
}: Pick<RowProps, 'processor' | 'typed' | 'isWrong' | 'onType'>) => (
  <td className="table-figures">
    {onType === null ? (
      formatDollars(statednet)
    ) : (
      <span className="month-stated">
        <InputGroup
          size="small"
          inputMode="decimal"
          aria-label={`Stated Net of ${processor}`}
          aria-invalid={isWrong}
          intent={isWrong ? 'danger' : 'none'}
          value={typed.net}
          disabled={typed.nofile}
          onChange={({ currentTarget }) => onType({ ...typed, net: currentTarget.value })}
        />
        {(file === null || typed.nofile) && (
          <Checkbox
            label="No file this month"
            aria-label={`No file of ${processor} this month`}
            checked={typed.nofile}
            onChange={({ currentTarget }) =>
              onType(currentTarget.checked ? { net: '', nofile: true } : { ...typed, nofile: false })
            }
          />
        )}
      </span>
    )}
  </td>
)
