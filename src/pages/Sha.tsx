import { Button } from '@blueprintjs/core'
import { useState } from 'react'

/** The SHA-256 of a file: its first digits to be told apart by, all of them in the title and to be copied. */
export const Sha = ({ sha256 }: { sha256: string }) => {
  const [isCopied, setCopied] = useState(false)
  // A page without TLS has no clipboard; the title can still be read.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  return (
    <span className="import-sha">
      <code title={`SHA-256 ${sha256}`}>{sha256.slice(0, 8)}</code>
      {clipboard && (
        <Button
          size="small"
          variant="minimal"
          text={isCopied ? 'Copied' : 'Copy'}
          aria-label={isCopied ? 'Copied' : `Copy the SHA-256 that begins with ${sha256.slice(0, 8)}`}
          onClick={() => void clipboard.writeText(sha256).then(() => setCopied(true))}
        />
      )}
    </span>
  )
}
