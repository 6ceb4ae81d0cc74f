import type { Spec } from '../mbt/runPath.ts'
import { decision } from '../spec/decision.table.ts'
import { download } from '../spec/download.table.ts'
import { failure } from '../spec/failure.table.ts'
import { list } from '../spec/list.table.ts'
import { load } from '../spec/load.table.ts'
import { modal } from '../spec/modal.table.ts'
import { month } from '../spec/month.table.ts'
import { password } from '../spec/password.table.ts'
import { report } from '../spec/report.table.ts'
import { session } from '../spec/session.table.ts'
import { ticket } from '../spec/ticket.table.ts'
import { undo } from '../spec/undo.table.ts'
import { upload } from '../spec/upload.table.ts'
import { verification } from '../spec/verification.table.ts'
import { widget } from '../spec/widget.table.ts'

/** Every machine with its table. */
export const specs = [
  decision,
  download,
  failure,
  list,
  load,
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
