import type { Spec } from '../mbt/runPath.ts'
import { password } from '../spec/account/password.table.ts'
import { session } from '../spec/account/session.table.ts'
import { verification } from '../spec/account/verification.table.ts'
import { bulk } from '../spec/bulk.table.ts'
import { decision } from '../spec/decision.table.ts'
import { download } from '../spec/download.table.ts'
import { failure } from '../spec/failure.table.ts'
import { find } from '../spec/find.table.ts'
import { inbox } from '../spec/inbox/inbox.table.ts'
import { list } from '../spec/list.table.ts'
import { load } from '../spec/load.table.ts'
import { mapping } from '../spec/mapping.table.ts'
import { modal } from '../spec/modal.table.ts'
import { month } from '../spec/month.table.ts'
import { report } from '../spec/report.table.ts'
import { ticket } from '../spec/ticket.table.ts'
import { undo } from '../spec/undo.table.ts'
import { upload } from '../spec/upload.table.ts'
import { widget } from '../spec/widget.table.ts'

/** Every machine with its table. */
export const specs = [
  bulk,
  decision,
  download,
  failure,
  find,
  inbox,
  list,
  load,
  mapping,
  modal,
  month,
  password,
  report,
  session,
  ticket,
  undo,
  upload,
  verification,
  widget,
] as unknown as readonly Spec[]
