import type { RJSFSchema } from '@rjsf/utils'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Values } from '../../../machines/report.machine.ts'
import type { ReportType } from '../../../schemas/api/reports.ts'
import { schemaErrors } from '../../forms/errors.ts'
import { reportUiSchema, reportSchema, initialValues } from '../../forms/reportInputs.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { ValidatedForm } from '../../forms/ValidatedForm.tsx'
import { Day } from '../../forms/widgets/Day.tsx'
import { SearchedChoice } from '../../forms/widgets/picker/SearchedChoice.tsx'

type Props = {
  report: ReportType
  /** The values filled in so far, also those of other reports. */
  values: Values
  /** The server's messages, by input. */
  faults: Readonly<Record<string, string>>
  busy: boolean
  formId: string
  onChange: (values: Values, valid: boolean) => void
  onSubmit: () => void
  /** Stands below the form: its buttons work once there is one. */
  children: ReactNode
}

const widgets = { day: Day, searchedChoice: SearchedChoice }

/** The inputs of one report. On mount it reports whether the values so far are valid for this report. */
export const ReportInputs = (props: Props) => {
  const { report, values, faults, busy, formId, onChange, onSubmit, children } = props
  const schema = useMemo(() => reportSchema(report), [report])
  const uiSchema = useMemo(() => reportUiSchema(report, widgets), [report])
  const transformErrors = useMemo(() => schemaErrors(schema, undefined, []), [schema])
  const [ownValues] = useState(() => initialValues(report, values))
  // Kept for the reports that have these inputs.
  const [otherValues] = useState(() =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !(name in schema.properties))),
  )
  const reportValues = (now: Values) =>
    onChange(
      { ...otherValues, ...now },
      runtimeValidator.isValid(schema as RJSFSchema, now, schema as RJSFSchema),
    )
  useEffect(() => {
    reportValues(ownValues)
    // Only once: later changes come from the form.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <>
      <ValidatedForm
        {...{ formId, schema, faults, busy, initialValues: ownValues, transformErrors }}
        uiSchema={uiSchema}
        validator={runtimeValidator}
        noAutoFocus
        onValues={reportValues}
        onSubmit={onSubmit}
      />
      {children}
    </>
  )
}
