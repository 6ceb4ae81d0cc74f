import { Button } from '@blueprintjs/core'
import { HelpIcon } from '@blueprintjs/icons'
import { openAnywhere } from './anywhere.ts'

/** Opens the help; `about` is what is looked up in it, all of it when left out (everywhere 4). */
export const HelpButton = ({ about = '' }: { about?: string }) => (
  <Button
    variant="minimal"
    className="help-button"
    icon={<HelpIcon />}
    aria-label={about === '' ? 'Help' : `Help: ${about}`}
    onClick={() => openAnywhere({ name: 'help', about })}
  />
)
