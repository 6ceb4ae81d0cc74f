import { DateTime } from 'luxon'
import type { OwnStatement } from '../../../schemas/api/home.ts'

/** What the last statement says first: what was paid of it, else what is payable (shell 13). */
export const statementFigure = ({
  paid,
  payable,
  isofficeaccount,
}: Pick<OwnStatement, 'paid' | 'payable' | 'isofficeaccount'>): { words: string; amount: number } =>
  paid !== 0
    ? { words: 'Paid', amount: paid }
    : { words: isofficeaccount ? 'Never paid out' : 'Payable', amount: payable }

/** '11/5/2026' of '2026-11-05'. */
export const formatEffective = (day: string): string =>
  DateTime.fromISO(day, { zone: 'utc', locale: 'en-US' }).toLocaleString(DateTime.DATE_SHORT)

/** 'Oct' of '2026-10'. */
export const shortMonth = (month: string): string =>
  DateTime.fromISO(month, { zone: 'utc', locale: 'en-US' }).toFormat('LLL')
