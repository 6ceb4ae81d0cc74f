import { Button, type ButtonProps, Collapse } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronRightIcon, DownloadIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useId, useState } from 'react'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'title'> & {
  machine: typeof downloadMachine
  /** Which file. */ id: string
  text: string
}

/** Fetches a file the server makes, and saves it under the name it is given. */
export const DownloadButton = ({ machine, id, ...look }: Props) => {
  const [snapshot, send] = useActor(machine, { ...useActorEnvironment(), input: { id } })
  return (
    <Button
      {...look}
      icon={<DownloadIcon />}
      loading={snapshot.matches('downloading')}
      onClick={() => send({ type: 'download' })}
    />
  )
}

/** Which columns the file may have, and templates to begin with. */
export const ImportHelp = ({
  it: definition,
  template,
}: {
  it: Import
  template: typeof downloadMachine
}) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const required = definition.columns.filter((column) => column.required)
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
        . Another {definition.columns.length - required.length} are understood, in any order.{' '}
        {definition.blankKeepsStored && 'A blank cell keeps what is stored; - or NULL clears it. '}
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
        {['csv', 'xlsx'].map((format) => (
          <DownloadButton
            key={format}
            variant="minimal"
            size="small"
            machine={template}
            id={format}
            text={`Template (${format.toUpperCase()})`}
          />
        ))}
      </p>
      <div id={id}>
        <Collapse isOpen={isOpen} transitionDuration={0}>
          <ul className="import-columns">
            {definition.columns.map(({ head, required: isRequired }) => (
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
