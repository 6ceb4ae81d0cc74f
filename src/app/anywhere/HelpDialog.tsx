import { Dialog, DialogBody, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { Fragment, useState } from 'react'
import { permissionHelp, wordHelp } from '../../../schemas/help/help.ts'
import { reportHelp } from '../../../schemas/help/reportHelp.ts'
import { permissions, permissionWords, type Viewer } from '../../../schemas/permissions.ts'

/** `about` is what is searched for at first. */
type Props = { viewer: Viewer; about: string; onClose: () => void }

type Section = { title: string; entries: readonly (readonly [word: string, says: string])[] }

/** Administrators, who give permissions, read their names in the calls too (permissions 14). */
const sectionsFor = ({ admin }: Viewer): readonly Section[] => [
  { title: 'Words', entries: Object.entries(wordHelp) },
  { title: 'Reports', entries: Object.entries(reportHelp) },
  {
    title: 'Permissions',
    entries: permissions.map((name) => [
      permissionWords[name] + (admin ? ` (${name})` : ''),
      permissionHelp[name],
    ]),
  },
]

/**
 * What the words of the portal mean, what each report is for and what each permission opens, found as one
 * types (everywhere 4).
 */
export const HelpDialog = ({ viewer, about, onClose }: Props) => {
  const [text, setText] = useState(about)
  const shown = found(sectionsFor(viewer), text)
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

/** The entries that hold a text; one whose word it is comes first, with its section. */
const found = (sections: readonly Section[], text: string): Section[] => {
  const searched = text.trim().toLowerCase()
  const isWord = ([word]: readonly [string, string]) => word.toLowerCase() === searched
  const hasWord = ({ entries }: Section) => entries.some(isWord)
  return sections
    .map(({ title, entries }) => ({
      title,
      entries: entries
        .filter(([word, says]) => (word + says).toLowerCase().includes(searched))
        .sort((one, other) => Number(isWord(other)) - Number(isWord(one))),
    }))
    .filter(({ entries }) => entries.length > 0)
    .sort((one, other) => Number(hasWord(other)) - Number(hasWord(one)))
}
