import { Button } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { findKey, openAnywhere } from '../../../parts/anywhere.ts'

/** 'Ctrl+K' */
const shownKey = findKey.replace(/k$/, 'K')

/** Opens the dialog Find (everywhere 1). A compact one is its icon alone. */
export const FindButton = ({ isCompact }: { isCompact: boolean }) => (
  <Button
    variant="minimal"
    className="shell-find"
    icon={<SearchIcon />}
    aria-label={isCompact ? 'Find' : undefined}
    aria-keyshortcuts={shownKey.replace('Ctrl', 'Control').replace('⌘', 'Meta')}
    title={`Find (${shownKey})`}
    onClick={() => openAnywhere({ name: 'find' })}
  >
    {!isCompact && (
      <>
        Find <kbd aria-hidden>{shownKey}</kbd>
      </>
    )}
  </Button>
)
