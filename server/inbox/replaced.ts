import { audit } from '../db/audit.ts'
import type { Tx } from '../db/db.ts'
import type { Sender } from '../imports/process/turns.ts'
import { isClaimed, isVisible, visibleTo } from './rows.ts'

/** Who imports. */
type Importer = { sender: Sender; address?: string }

const stemOf = (name: string) => `regexp_replace(lower(${name}), '\\.[a-z]+$', '')`
/** A file of the rejected rows alone lacks the others of the refused file. */
const isWhole = `${stemOf('b.filename')} not like '% rejected'`
/** Kind, processor and month of both files are equal where the refused file has them. */
const mayBeOfSame = `(f.kind is null or f.kind = b.kind)
  and (f.processor is null or f.processor = b.processor)
  and (f.month is null or f.month = to_char(b.fordate, 'YYYY-MM'))`
const isOfSameDay = `(b.kind <> 'dailyvolume' or f.answers->>'date' = b.fordate::text)`
/** Compensation data stands for its month and processor, whatever the file is called (imports 29). */
const isOfSameMonth = 'f.month is not null and f.processor is not null'

/**
 * Ends the refused files that the importer sees and in whose place the file of the batch was imported
 * (inbox 12). Each keeps the batch, by which it is known as replaced.
 */
export async function endReplaced(tx: Tx, batch: number, { sender, address = '' }: Importer) {
  const { username, userid = null, scope } = sender
  const ended = await tx.query<{ id: number; filename: string; sha256: string; replacedby: string }>(
    `update inbox_file f set state = 'dismissed', endedby = $4, ended_at = now(), batchid = b.id, claim = null
      from import_batch b
      where ${isVisible} and b.id = $3 and f.state = 'refused' and not f.outgrown and not (${isClaimed})
        and not exists (select from inbox_file i where i.batchid = b.id and i.id <= f.id)
        and ${mayBeOfSame} and ${isOfSameDay} and ${isWhole}
        and (${stemOf('f.filename')} = ${stemOf('b.filename')} or (${isOfSameMonth}))
      returning f.id, f.filename, f.sha256, b.filename as replacedby`,
    [...visibleTo({ scope, userid: userid ?? 0 }), batch, username],
  )
  for (const { id, ...after } of ended)
    await audit(tx, { username, address, action: 'dismiss', entity: 'inbox file', entityid: id, after })
}
