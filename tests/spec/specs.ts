import type { Spec } from '../mbt/runPath.ts'
import { download } from './download.table.ts'
import { failure } from './failure.table.ts'
import { list } from './list.table.ts'
import { load } from './load.table.ts'
import { modal } from './modal.table.ts'
import { password } from './password.table.ts'
import { report } from './report.table.ts'
import { session } from './session.table.ts'
import { ticket } from './ticket.table.ts'
import { undo } from './undo.table.ts'
import { upload } from './upload.table.ts'
import { verification } from './verification.table.ts'
import { widget } from './widget.table.ts'

/** Every machine with its table. */
export const specs = [
  download,
  failure,
  list,
  load,
  modal,
  password,
  report,
  session,
  ticket,
  undo,
  upload,
  verification,
  widget,
] as unknown as readonly Spec[]
