import { type ReactNode, useState } from 'react'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { UploadForm, Refusal } from '../../../machines/upload.machine.ts'
import { formatCount } from '../../parts/format.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { DownloadButton } from './ImportHelp.tsx'

type FileRowsProps = { label: string; heads: readonly string[]; className?: string; children: ReactNode }

/** A scrolling table about rows of a file; each row begins with its number in the file. */
export const FileRows = ({ label, heads, className = '', children }: FileRowsProps) => (
  <TableFrame label={label} className={`file-rows ${className}`}>
    <thead>
      <tr>
        <th scope="col" className="table-figures import-row">
          Row
        </th>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </TableFrame>
)

type ImportFaultsProps = {
  title: string
  refused: Refusal
  /** No row is rejected, only totals differ: a fix file would be empty. */
  hasNoRows?: boolean
  form: UploadForm
  rejected: (form: UploadForm) => typeof downloadMachine
}

/** The faults of a file, row by row (imports 15), and the download of its rejected rows (imports 23). */
export const ImportFaults = ({
  title,
  refused: { rows, more },
  hasNoRows = false,
  form,
  rejected,
}: ImportFaultsProps) => (
  <section className="import-result" aria-label="What is wrong in the file">
    <header className="import-result-head">
      <h2>{title}</h2>
      {!hasNoRows && (
        <FixFileButton key={`${form.file?.name} ${form.date}`} form={form} rejected={rejected} />
      )}
    </header>
    <p>Nothing of a file is imported while one row is wrong. Correct these, then choose it again.</p>
    <FaultRows rows={rows} more={more} />
  </section>
)

/** The listed faults of a file, and how many more there are. */
export const FaultRows = ({ rows, more }: Refusal) => (
  <>
    <FileRows label="Faults" heads={['Column', 'Value', 'What is wrong']}>
      {rows.map(({ row, column, value, message }, index) => (
        <tr key={index}>
          <td className="table-figures">{row ?? ''}</td>
          <td>{column ?? ''}</td>
          <td>
            <span className="table-text" title={value}>
              {value}
            </span>
          </td>
          <td className="table-message">{message}</td>
        </tr>
      ))}
    </FileRows>
    {more > 0 && <p>and {formatCount(more)} more</p>}
  </>
)

const FixFileButton = ({ form, rejected }: Pick<ImportFaultsProps, 'form' | 'rejected'>) => {
  const [machine] = useState(() => rejected(form))
  return (
    <DownloadButton
      machine={machine}
      id="rejected"
      text="Download fix file"
      title="The rejected rows, each with its reason"
    />
  )
}
