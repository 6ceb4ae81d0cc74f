import type { ReportInput, ReportValues } from '../../../schemas/api/reports.ts'
import { HttpError } from '../../http/errors.ts'
import { Wrong, type Offer } from './inputs.ts'
import type { Inputs, Report } from './report.ts'

/** The inputs of a report as the screen draws them, with what is offered to this caller. */
export const offered = (inputs: Inputs, offer: Offer): Promise<ReportInput[]> =>
  Promise.all(
    Object.entries(inputs).map(async ([inputname, { displayname, datatype, isrequired, offers }]) => ({
      inputname,
      displayname,
      datatype,
      isrequired,
      constraints: (await offers?.(offer)) ?? [],
    })),
  )

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** The values a report was given, by input name. Throws a Refusal (422) with a sentence for each input that is wrong. */
export async function given(it: Report, sent: ReportValues, offer: Offer): Promise<Record<string, unknown>> {
  const faults: Record<string, string> = {}
  const taken: Record<string, unknown> = {}
  for (const name of Object.keys(sent))
    if (!Object.hasOwn(it.inputs, name)) faults[name] = `${name} is no input of this report`
  for (const [name, input] of Object.entries(it.inputs)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : null
    const text = String(value).trim()
    taken[name] = null
    if (isEmpty(value)) {
      if (input.isrequired) faults[name] = `${input.displayname} is required`
      continue
    }
    if (input.offers && !(await input.offers(offer)).some((option) => option.id === text)) {
      faults[name] = `${input.displayname} must be one of the offered values`
      continue
    }
    const read = input.read(text)
    if (read instanceof Wrong) faults[name] = `${input.displayname} ${read.message}`
    else taken[name] = read
  }
  const fields = Object.keys(faults).length > 0 ? faults : (it.check?.(taken) ?? {})
  if (Object.keys(fields).length > 0) throw new HttpError(422, Object.values(fields).join('. '), { fields })
  return taken
}

/** The values as a person reads them, by input name; those left empty are left out. */
export const toldInputs = (it: Report, taken: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(taken).flatMap(([name, value]) =>
      value === null ? [] : [[name, it.inputs[name]!.told?.(value as never) ?? String(value)]],
    ),
  )
