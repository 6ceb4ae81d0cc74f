import type { ReportInput, ReportValues } from '../../../schemas/api/reports.ts'
import { HttpError } from '../../http/errors.ts'
import { InputError, type InputDefinitions, type OptionContext } from './inputs.ts'
import type { Report } from './report.ts'

/** The inputs of a report as the API answers them, with their options for this caller. */
export const offeredInputs = (inputs: InputDefinitions, context: OptionContext): Promise<ReportInput[]> =>
  Promise.all(
    Object.entries(inputs).map(async ([inputname, { displayname, datatype, isrequired, options }]) => ({
      inputname,
      displayname,
      datatype,
      isrequired,
      constraints: (await options?.(context)) ?? [],
    })),
  )

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/**
 * The values a report runs with, by input name; null where an optional input was left empty. Throws an
 * HttpError (422) with a sentence for each wrong input (reports 2).
 */
export async function parseInputs(
  report: Report,
  sent: ReportValues,
  context: OptionContext,
): Promise<Record<string, unknown>> {
  const errors = unknownInputs(report, sent)
  const values: Record<string, unknown> = {}
  for (const [name, input] of Object.entries(report.inputs)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : null
    const text = String(value).trim()
    values[name] = null
    if (isEmpty(value)) {
      if (input.isrequired) errors[name] = `${input.displayname} is required`
      continue
    }
    if (input.options && !(await input.options(context)).some((option) => option.id === text)) {
      errors[name] = `${input.displayname} must be one of the offered values`
      continue
    }
    const parsed = input.parse(text)
    if (parsed instanceof InputError) errors[name] = `${input.displayname} ${parsed.message}`
    else values[name] = parsed
  }
  assertNoErrors(errors)
  assertNoErrors(report.validate?.(values) ?? {})
  return values
}

/** A sentence for each name that is none of the report's inputs. */
function unknownInputs({ inputs }: Report, sent: ReportValues): Record<string, string> {
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(inputs, name))
  return Object.fromEntries(unknown.map((name) => [name, `${name} is no input of this report`]))
}

function assertNoErrors(fields: Record<string, string>) {
  if (Object.keys(fields).length > 0) throw new HttpError(422, Object.values(fields).join('. '), { fields })
}

/** Throws an HttpError (422) for a name that is none of the report's inputs, and reads no value. */
export const assertKnownInputs = (report: Report, sent: ReportValues) =>
  assertNoErrors(unknownInputs(report, sent))

/** Parsed values in words, by input name, without those left empty. */
export const describeInputs = (report: Report, values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [] : [[name, report.inputs[name]!.describe?.(value as never) ?? String(value)]],
    ),
  )
