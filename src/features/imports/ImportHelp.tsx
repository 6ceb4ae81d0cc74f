import { Button, type ButtonProps, Collapse } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronRightIcon, DownloadIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useId, useState } from 'react'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { BusyButton } from '../../parts/BusyButton.tsx'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'

type DownloadButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'title'> & {
  machine: typeof downloadMachine
  /** Names the file to the machine. */
  id: string
  text: string
}

/** Downloads a file that the server generates. */
export const DownloadButton = ({ machine, id, ...buttonProps }: DownloadButtonProps) => {
  const [snapshot, send] = useActor(machine, { ...useActorEnvironment(), input: { id } })
  return (
    <BusyButton
      {...buttonProps}
      icon={<DownloadIcon />}
      isBusy={snapshot.matches('downloading')}
      onClick={() => send({ type: 'download' })}
    />
  )
}

type ImportHelpProps = { definition: Import; template: typeof downloadMachine }

/** The columns that the file may have, and its templates. */
export const ImportHelp = ({ definition, template }: ImportHelpProps) => {
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
