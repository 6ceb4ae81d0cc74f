import { Button, Callout } from '@blueprintjs/core'

type Props = { onRestore: () => void; onForget: () => void }

/** Offers what was typed before the session ended (lists 12). */
export const KeptOffer = ({ onRestore, onForget }: Props) => (
  <Callout compact intent="primary" className="kept-draft">
    <span>Restore what you typed?</span>
    <Button size="small" intent="primary" text="Restore" onClick={onRestore} />
    <Button size="small" text="Forget it" onClick={onForget} />
  </Callout>
)
