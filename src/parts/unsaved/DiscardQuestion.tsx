import { Confirm } from '../Confirm.tsx'

// A file of its own: a list needs the rest of what asks about unsaved changes, and this only with a record.

/** The question before unsaved changes are left (lists 12). */
export const DiscardQuestion = ({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) => (
  <Confirm
    choices={[
      { text: 'Discard', intent: 'danger', onClick: onDiscard },
      { text: 'Keep editing', onClick: onKeep },
    ]}
  >
    Discard your changes?
  </Confirm>
)
