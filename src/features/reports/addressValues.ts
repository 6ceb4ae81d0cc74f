import type { Values } from '../../../machines/report.machine.ts'
import type { ReportInput, ReportType } from '../../../schemas/api/reports.ts'
import { isIsoDay } from '../../../schemas/dates.ts'
import { maxTextLength } from '../../forms/reportInputs.ts'

/** How much of a wrong value is repeated, in characters. */
const maxRepeatedLength = 60

/**
 * The values of a report's inputs by the parameters of an address, days as '2026-10-31'; `faults` has a
 * sentence for each parameter that is no input or no value of it (reports 41).
 */
export const readAddressValues = (
  report: ReportType,
  parameters: Readonly<Record<string, string>>,
): { values: Values; faults: string[] } => {
  const values: Record<string, unknown> = {}
  const faults: string[] = []
  for (const [name, text] of Object.entries(parameters)) {
    const input = report.inputs.find(({ inputname }) => inputname === name)
    const [value, rule] = input ? readAddressValue(input, text) : []
    if (input && value !== undefined) values[name] = value
    else
      faults.push(
        `${input ? `${input.displayname} ${rule}` : `${name} is no input of ${report.name}`}; ` +
          `the address has “${text.slice(0, maxRepeatedLength)}”.`,
      )
  }
  return { values, faults }
}

/** The value of a text, undefined if it is none; and what it must be. */
const readAddressValue = (
  input: ReportInput,
  text: string,
): [value: string | number | undefined, rule: string] => {
  switch (input.datatype) {
    case 'Int':
      return [/^\d{1,9}$/.test(text) ? Number(text) : undefined, 'must be a whole number']
    case 'Date':
      return [isIsoDay(text) ? text : undefined, 'must be a date as YYYY-MM-DD']
    case 'Query':
    case 'Query3':
      return [
        input.constraints.some(({ id }) => id === text) ? text : undefined,
        'must be one of the offered values',
      ]
    case 'Text':
      return [
        [...text].length <= maxTextLength ? text : undefined,
        `must be at most ${maxTextLength} characters long`,
      ]
  }
}

/** The filled inputs of a report as parameters of an address (reports 41). */
export const writeAddressValues = (report: ReportType, values: Values): [name: string, text: string][] =>
  report.inputs.flatMap(({ inputname }): [string, string][] => {
    const value = values[inputname]
    return (value ?? '') === '' ? [] : [[inputname, String(value)]]
  })

/** A sentence for each required input without a value. */
export const missingInputs = (report: ReportType, values: Values): string[] =>
  report.inputs
    .filter(({ inputname, isrequired }) => isrequired && (values[inputname] ?? '') === '')
    .map(({ displayname }) => `${displayname} is required.`)
