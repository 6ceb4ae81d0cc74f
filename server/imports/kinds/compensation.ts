import { imports } from '../../../schemas/imports/imports.ts'
import { serializeMonthChanges, assertMonthOpen, blockMonthLock } from '../../money/months.ts'
import { addProcessor, lockProcessor } from '../../processors/knownProcessors.ts'
import type { Importer } from '../store/importer.ts'
import { mergeRows } from '../store/mergeRows.ts'
import type { ImportStep } from '../store/step.ts'
import { removeRows } from '../store/undoLog.ts'
import { createUpsert } from '../store/upsert.ts'
import {
  askAboutCompensation,
  describeTakenAway,
  refuseLaterMonth,
  replacedValues,
  takenAway,
} from './compensationChecks.ts'
import { createImporter } from './createImporter.ts'
import { findMonthAndProcessor } from './fileSource.ts'

const definition = imports.compdata
const upsert = createUpsert(definition, {
  fixed: { month: '$1::date', processor: '$2' },
  stamp: { batchid: '$3::int' },
})

/**
 * Removes the rows of an earlier file of the month and processor that this one does not have, within the
 * scope of the caller (imports 29).
 */
async function removeReplacedRows(step: ImportStep): Promise<string[]> {
  const gone = await removeRows(step, {
    table: 'residual',
    condition: takenAway,
    values: replacedValues(step),
    summed: 'net',
  })
  return gone.rows === 0 ? [] : [describeTakenAway(step, { rows: gone.rows, net: gone.sum })]
}

/**
 * What a processor says a month brought in; a closed month takes no file and gives none back (imports 27,
 * imports 29).
 */
export const compensation: Importer = createImporter(definition, {
  upsert,
  parameters: ({ date, processor, batch }) => [date, processor, batch],
  describeFile: findMonthAndProcessor,
  refuseLaterMonth,
  async refuseClosedMonth(tx, date, timeZone) {
    await serializeMonthChanges(tx, date)
    await blockMonthLock(tx, date)
    await assertMonthOpen(tx, date, timeZone)
  },
  addProcessor,
  mergeRows: (step) => mergeRows(step, definition),
  ask: askAboutCompensation,
  removeReplacedRows,
  // After the rows are stored, so that nobody waits who edits the processor during a long import.
  afterStore: ({ processor }, tx) => lockProcessor(tx, processor),
  replaces: true,
})
