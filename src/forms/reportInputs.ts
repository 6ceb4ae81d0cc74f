import type { UiSchema } from '@rjsf/utils'
import type { ReportRequest, Values } from '../../machines/report.machine.ts'
import type { ReportInput, ReportOption, ReportType } from '../../schemas/api/reports.ts'
import { formatUsDate } from '../../schemas/dates.ts'

/** In characters. */
export const maxTextLength = 200

/** An input with more options is searched by typing; with these and fewer it is a plain list. */
export const maxPlainOptions = 100

const isChoice = ({ datatype }: ReportInput) => datatype === 'Query' || datatype === 'Query3'

/** The text of an option; in a Query3 input it has the state in parentheses (reports 2). */
const optionLabel = ({ datatype }: ReportInput, { displayname, state }: ReportOption): string =>
  datatype === 'Query3' && state ? `${displayname} (${state})` : displayname

/** The chosen option of the report's Query3 input, if it has one. */
export const chosenMonth = ({ report, values }: ReportRequest): ReportOption | undefined => {
  const input = report?.inputs.find(({ datatype }) => datatype === 'Query3')
  return input?.constraints.find(({ id }) => id === values[input.inputname])
}

const propertyOf = (input: ReportInput) => {
  const { displayname: title, datatype, isrequired } = input
  switch (datatype) {
    case 'Text':
      return {
        title,
        type: 'string',
        maxLength: maxTextLength,
        ...(isrequired && { minLength: 1, pattern: '\\S' }),
      }
    case 'Int':
      return { title, type: 'integer' }
    case 'Date':
      return { title, type: 'string', format: 'date' }
    case 'Query':
    case 'Query3':
      return { title, type: 'string', enum: input.constraints.map(({ id }) => id) }
  }
}

/** The JSON Schema of a report's inputs. */
export const reportSchema = ({ id, inputs }: ReportType) => ({
  $id: `report.${id}`,
  type: 'object' as const,
  required: inputs.filter(({ isrequired }) => isrequired).map(({ inputname }) => inputname),
  properties: Object.fromEntries(inputs.map((input) => [input.inputname, propertyOf(input)])),
})

/** The widgets of a calendar day, and of one option among many. */
type InputWidgets = { day: unknown; searchedChoice: unknown }

/** The uiSchema of a report's inputs, without a group if it has none. */
export const reportUiSchema = ({ inputs }: ReportType, widgets: InputWidgets): UiSchema => ({
  'ui:options': {
    groups: inputs.length > 0 ? [{ fields: inputs.map(({ inputname }) => inputname) }] : [],
    label: false,
  },
  ...Object.fromEntries(
    inputs.map((input) => [
      input.inputname,
      {
        ...(isChoice(input) && {
          ...(input.constraints.length > maxPlainOptions
            ? { 'ui:widget': widgets.searchedChoice }
            : { 'ui:widget': 'choice', 'ui:placeholder': 'Select an Option' }),
          'ui:enumNames': input.constraints.map((option) => optionLabel(input, option)),
        }),
        ...(input.datatype === 'Date' && { 'ui:widget': widgets.day }),
      },
    ]),
  ),
})

/** The values of another report that are valid for the inputs of this one too. */
export const initialValues = (report: ReportType, values: Values): Values =>
  Object.fromEntries(
    report.inputs.flatMap((input) => {
      const value = values[input.inputname]
      const fits = isChoice(input)
        ? input.constraints.some(({ id }) => id === value)
        : input.datatype === 'Int'
          ? typeof value === 'number'
          : typeof value === 'string'
      return fits ? [[input.inputname, value]] : []
    }),
  )

/** The names and values of the filled inputs, as text: ['Month', 'October 2026']. */
export const describeValues = ({ report, values }: ReportRequest): [name: string, value: string][] =>
  (report?.inputs ?? []).flatMap((input): [string, string][] => {
    const value = values[input.inputname]
    if (value === undefined || value === '') return []
    const option = isChoice(input) ? input.constraints.find(({ id }) => id === value) : undefined
    return [
      [
        input.displayname,
        option?.displayname ?? (input.datatype === 'Date' ? formatUsDate(String(value)) : String(value)),
      ],
    ]
  })

/** The body of a report's calls: the filled inputs, days as MM/DD/YYYY (reports 3). */
export const requestBody = ({ report, values }: ReportRequest): Record<string, string | number> =>
  Object.fromEntries(
    (report?.inputs ?? []).flatMap(({ inputname, datatype }) => {
      const value = values[inputname]
      if (value === undefined || value === null || value === '') return []
      return [[inputname, datatype === 'Date' ? formatUsDate(String(value)) : (value as string | number)]]
    }),
  )
