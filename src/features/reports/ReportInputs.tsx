import type { RJSFSchema } from '@rjsf/utils'
import { useEffect, useMemo, useState } from 'react'
import type { Values } from '../../../machines/report.machine.ts'
import type { ReportType } from '../../../schemas/api/reports.ts'
import { schemaErrors } from '../../forms/errors.ts'
import { reportUiSchema, reportSchema, initialValues } from '../../forms/reportInputs.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { ValidatedForm } from '../../forms/ValidatedForm.tsx'
import { Day } from '../../forms/widgets/Day.tsx'

type Props = {
  report: ReportType
  /** What was filled in before, also for another report. */
  values: Values
  /** The server's sentences, by input. */
  faults: Readonly<Record<string, string>>
  busy: boolean
  formId: string
  onChange: (values: Values, valid: boolean) => void
  onSubmit: () => void
}

/**
 * The inputs of one report. Says at once whether what was kept from the report before is enough for this one.
 */
export const ReportInputs = ({ report, values, faults, busy, formId, onChange, onSubmit }: Props) => {
  const schema = useMemo(() => reportSchema(report), [report])
  const looks = useMemo(() => reportUiSchema(report, Day), [report])
  const transformErrors = useMemo(() => schemaErrors(schema, undefined, []), [schema])
  const [start] = useState(() => initialValues(report, values))
  // What other reports were given waits for them.
  const [others] = useState(() =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !(name in schema.properties))),
  )
  const tell = (now: Values) =>
    onChange({ ...others, ...now }, runtimeValidator.isValid(schema as RJSFSchema, now, schema as RJSFSchema))
  useEffect(() => {
    tell(start)
    // Every later change is told by the form itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <ValidatedForm
      {...{ formId, schema, faults, busy, initialValues: start, transformErrors }}
      uiSchema={looks}
      validator={runtimeValidator}
      noAutoFocus
      onValues={tell}
      onSubmit={onSubmit}
    />
  )
}
