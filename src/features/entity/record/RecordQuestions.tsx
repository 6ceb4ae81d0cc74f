import type { ReactNode } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft } from '../../../../machines/modal.machine.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import type { ModalMachine } from './dialog.ts'

type Props = {
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  /** What the two questions call the record. */
  nouns: { deleted: string; changed: string }
  /** The values of the save that was refused. */
  draft: () => Draft
  /** What somebody else changed, where that can be shown. */
  changes?: ReactNode
}

/** The questions before a record is deleted (lists 7) and after somebody else changed it (lists 13). */
export const RecordQuestions = ({ snapshot, send, nouns, draft, changes }: Props) => (
  <>
    {(snapshot.matches('confirmingDelete') || snapshot.matches('deleting')) && (
      <Confirm
        choices={[
          {
            text: 'Delete',
            intent: 'danger',
            loading: snapshot.matches('deleting'),
            onClick: () => send({ type: 'confirm' }),
          },
          { text: 'Cancel', onClick: () => send({ type: 'cancel' }) },
        ]}
      >
        Are you sure you want to delete this {nouns.deleted}?
      </Confirm>
    )}
    {snapshot.matches('stale') && (
      <Confirm
        below={changes}
        choices={[
          { text: 'Reload', onClick: () => send({ type: 'reload' }) },
          { text: 'Overwrite', intent: 'danger', onClick: () => send({ type: 'overwrite', draft: draft() }) },
          { text: 'Keep editing', onClick: () => send({ type: 'cancel' }) },
        ]}
      >
        Somebody else changed this {nouns.changed} meanwhile
      </Confirm>
    )}
  </>
)
