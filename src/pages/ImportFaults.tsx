import { useState } from 'react'
import type { downloadMachine } from '../../machines/download.machine.ts'
import type { Form, Refusal } from '../../machines/upload.machine.ts'
import { count } from '../format.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { FileRows } from './FileRows.tsx'

type Props = { title: string; refused: Refusal; form: Form; rejected: (form: Form) => typeof downloadMachine }

/** Everything that is wrong in the file, row by row, and the rejected rows as a file to correct. */
export const ImportFaults = ({ title, refused: { rows, more }, form, rejected }: Props) => (
  <section className="import-result" aria-label="What is wrong in the file">
    <header className="import-result-head">
      <h2>{title}</h2>
      <FixFile key={`${form.file?.name} ${form.date}`} form={form} rejected={rejected} />
    </header>
    <p>Nothing of a file is imported while one row is wrong. Correct these, then choose it again.</p>
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
    {more > 0 && <p>and {count(more)} more</p>}
  </section>
)

const FixFile = ({ form, rejected }: Pick<Props, 'form' | 'rejected'>) => {
  const [machine] = useState(() => rejected(form))
  return <DownloadButton machine={machine} id="rejected" text="Download fix file" title="The rejected rows, each with its reason" />
}
