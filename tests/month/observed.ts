import type { MonthDetail } from '../../schemas/api/months/months.ts'
import type { MissingReply, VarianceReply } from '../../schemas/api/months/variance.ts'
import type { ImportAsks } from '../../schemas/imports/answers.ts'
import type { RowFault } from '../../schemas/imports/imports.ts'
import type { MappingProposal } from '../../schemas/imports/mapping/mapping.ts'
import { expected, type MonthPortal, type Sent } from './monthPortal.ts'

const differenceText = ({ difference }: MappingProposal): string => {
  if (!difference) return ''
  const { processor, renamed, moved, missing, added } = difference
  const parts = [
    ...renamed.map(({ from, to }) => `${from} is now ${to}`),
    ...(moved.length ? [`moved ${moved.join(', ')}`] : []),
    ...(missing.length ? [`missing ${missing.join(', ')}`] : []),
    ...(added.length ? [`added ${added.join(', ')}`] : []),
  ]
  return ` ${processor}: ${parts.join('; ')}`
}

/** What an upload says, a line for each thing. */
type Said = { error?: string; rows?: RowFault[]; warnings?: string[]; asks?: ImportAsks }

export function linesOfUpload({ status, body }: Sent): string[] {
  const { error = '', asks = {}, rows = [], warnings = [] } = body as Said
  const { source, mapping, questions = [] } = asks
  const faults = rows.map(({ row, column, message }) => `fault row ${row} ${column ?? ''}: ${message}`)
  const asked = [
    ...(source
      ? [`asks source ${source.needs.join(' and ')} ${source.named ?? ''}: ${source.candidates[0] ?? ''}`]
      : []),
    ...(mapping ? [`asks mapping${differenceText(mapping)}`] : []),
    ...questions.map(({ key, text }) => `asks question ${key}: ${text}`),
  ]
  const isPlain = status !== 200 && faults.length + asked.length === 0
  return [
    ...(isPlain ? [`refused ${error}`] : []),
    ...faults,
    ...asked,
    ...warnings.map((text) => `warning ${text}`),
  ]
}

/** What the portal says of a month, a line for each finding, missing merchant and unusual change. */
export async function linesOfMonth(portal: MonthPortal, month: string): Promise<string[]> {
  const read = <T>(path: string) => expected<T>(portal.call('ann', 'GET', `/api/v1/month/${month}${path}`))
  const { findings } = await read<MonthDetail>('')
  const { data: missing } = await read<MissingReply>('/missing?size=100')
  const { data: variance } = await read<VarianceReply>('/variance?by=merchant&size=100')
  return [
    ...findings.map(({ key, kind, link }) => `finding ${kind} ${key.replace(`${kind}:`, '')} ${link ?? ''}`),
    ...missing.map(({ xmid, link }) => `missing ${xmid} ${link}`),
    ...variance
      .filter(({ kind }) => kind !== 'changed' && kind !== 'same')
      .map(({ kind, id, link }) => `variance ${kind} ${id} ${link}`),
  ]
}
