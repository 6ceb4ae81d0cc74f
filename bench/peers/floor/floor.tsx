/** The least that a page in React can be that shows the first page of a list: a call and a table. */
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

type Row = Record<string, unknown> & { id: number }
const fields = [
  'xmid',
  'dba',
  'businesstype',
  'product',
  'status',
  'sales_rep',
  'masteragentid',
  'date_added',
  'date_approved',
  'accountstatus',
  'tinstatus',
  'notes',
]

function Floor() {
  const [rows, setRows] = useState<readonly Row[]>([])
  useEffect(() => {
    void fetch('/rows.json')
      .then((answer) => answer.json() as Promise<{ data: Row[] }>)
      .then(({ data }) => setRows(data))
  }, [])
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {fields.map((field) => (
              <td key={field}>{String(row[field] ?? '')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

createRoot(document.getElementById('root')!).render(<Floor />)
