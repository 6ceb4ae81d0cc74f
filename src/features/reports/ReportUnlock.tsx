import { reasonText } from '../../../schemas/constants.ts'
import { AskText } from '../../forms/dialogs/AskText.tsx'

type Props = { month: string; busy: boolean; onUnlock: (reason: string) => void; onCancel: () => void }

/** Asks for the reason of unlocking a month (months 9). */
export const ReportUnlock = ({ month, busy, onUnlock, onCancel }: Props) => (
  <AskText
    title="Unlock Report"
    text="Unlock"
    intent="danger"
    label="Reason"
    minLength={reasonText.min}
    maxLength={reasonText.max}
    busy={busy}
    draftId={['unlock', month]}
    onText={onUnlock}
    onCancel={onCancel}
  >
    <p>
      {month} has been locked, and people may have been paid by it. Once it is unlocked, imports and rates
      change its figures again; the locked version is kept, and the next lock makes a new one.
    </p>
  </AskText>
)
