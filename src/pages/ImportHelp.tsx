import { Button, Collapse } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronRightIcon, DownloadIcon } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { Import } from '../../schemas/imports.ts'
import { csvLink } from '../parts/csv.ts'

/** Which columns the file may have, and a template to begin with. */
export const ImportHelp = ({ it }: { it: Import }) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const required = it.columns.filter((column) => column.required)
  return (
    <div className="import-help">
      <p>
        Required columns:{' '}
        {required.map(({ head }, index) => (
          <span key={head}>
            {index > 0 && ', '}
            <strong>{head}</strong>
          </span>
        ))}
        . Another {it.columns.length - required.length} are understood, in any order. {it.keeps && 'A blank cell keeps what is stored; - or NULL clears it. '}
        If anything in the file is wrong, nothing of it is stored.
      </p>
      <p className="import-help-links">
        <Button
          variant="minimal"
          size="small"
          icon={isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          text="All columns"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        />
        <a className="import-template" href={csvLink(it.columns.map(({ head }) => head))} download={`${it.noun} template.csv`}>
          <DownloadIcon /> Template (CSV)
        </a>
      </p>
      <div id={id}>
        <Collapse isOpen={isOpen} transitionDuration={0}>
          <ul className="import-columns">
            {it.columns.map(({ head, required: isRequired }) => (
              <li key={head}>
                {head}
                {isRequired && <span className="import-required"> required</span>}
              </li>
            ))}
          </ul>
        </Collapse>
      </div>
    </div>
  )
}
