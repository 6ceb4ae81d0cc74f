import { Dialog, DialogBody, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { Fragment, useState } from 'react'
import { permissionHelp, wordHelp } from '../../../schemas/help.ts'
import { permissions, permissionWords } from '../../../schemas/permissions.ts'

/** `about` is what is searched for at first. */
type Props = { about: string; onClose: () => void }

const sections = [
  { title: 'Words', entries: Object.entries(wordHelp) },
  {
    title: 'Permissions',
    entries: permissions.map((name) => [`${permissionWords[name]} (${name})`, permissionHelp[name]] as const),
  },
]

/** What the words of the portal mean and what each permission opens, found as one types (everywhere 4). */
export const HelpDialog = ({ about, onClose }: Props) => {
  const [text, setText] = useState(about)
  const shown = sections
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(([word, says]) => matches(word + says, text)),
    }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <Dialog
      isOpen
      title="Help"
      className="help-dialog"
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={onClose}
    >
      <DialogBody>
        <InputGroup
          autoFocus
          type="search"
          leftIcon={<SearchIcon />}
          aria-label="Search the help"
          placeholder="Search the help"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="help-sections" tabIndex={0}>
          {shown.map(({ title, entries }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <dl>
                {entries.map(([word, says]) => (
                  <Fragment key={word}>
                    <dt>{word}</dt>
                    <dd>{says}</dd>
                  </Fragment>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p role="status" className="help-status">
          {shown.length === 0 ? `The help says nothing of “${text.trim()}”.` : ''}
        </p>
      </DialogBody>
    </Dialog>
  )
}

const matches = (entry: string, text: string) => entry.toLowerCase().includes(text.trim().toLowerCase())
