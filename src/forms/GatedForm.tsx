import type { IChangeEvent } from '@rjsf/core'
import type { CustomValidator, ErrorTransformer, RJSFSchema, UiSchema, ValidatorType } from '@rjsf/utils'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FormContext } from './context.ts'
import { toErrorSchema } from './errors.ts'
import { ErrorVisibilityContext, type ErrorVisibility } from './fieldState.ts'
import { ThemedForm } from './theme.ts'

export type Values = Record<string, unknown>

type Props = {
  formId: string
  schema: object
  uiSchema: UiSchema
  validator: ValidatorType
  initialValues: Values
  faults: Readonly<Record<string, string>>
  busy: boolean
  context?: FormContext
  transformErrors: ErrorTransformer
  customValidate?: CustomValidator
  onValues: (now: Values) => void
  onSubmit: (now: Values) => void
  /** It does not take the focus when it appears. */
  noAutoFocus?: boolean
}

/**
 * A form without buttons (its dialog has them, tied by `formId`): errors show on fields that were edited and, after
 * an attempt to save, on all; then the first wrong field has the focus. The server's faults show on their fields
 * until these are changed.
 */
export const ValidatedForm = (props: Props) => {
  const {
    formId,
    schema,
    uiSchema,
    validator,
    initialValues: start,
    faults,
    busy,
    context,
    transformErrors,
    customValidate,
    onValues: onData,
    onSubmit,
    noAutoFocus: modest,
  } = props
  const frame = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const [attempts, setAttempts] = useState(0)
  const [answered, setAnswered] = useState<{ to: typeof faults; fields: ReadonlySet<string> }>({
    to: faults,
    fields: new Set(),
  })
  if (answered.to !== faults) setAnswered({ to: faults, fields: new Set() })

  const gate = useMemo(
    (): ErrorVisibility => ({ wasSubmitted: attempts > 0 || Object.keys(faults).length > 0, edited }),
    [attempts, edited, faults],
  )
  const extraErrors = useMemo(
    () =>
      toErrorSchema(
        Object.fromEntries(
          Object.entries(faults).filter(([field]) => !answered.fields.has(idOf(formId, field))),
        ),
      ),
    [faults, answered, formId],
  )

  useEffect(() => {
    if (!modest) focusOn(frame.current, 'input, select, textarea')
  }, [modest])
  useEffect(() => {
    if (gate.wasSubmitted) focusOn(frame.current, '[aria-invalid]')
    // Not while something is being mended: only an attempt or an answer to it moves the focus.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [attempts, faults])

  const change = ({ formData }: IChangeEvent, id?: string) => {
    if (id) {
      setEdited((before) => new Set([...before, id]))
      setAnswered((before) => ({ ...before, fields: new Set([...before.fields, id]) }))
    }
    onData(formData as Values)
  }
  const submit = ({ formData }: IChangeEvent) => {
    if (busy) return
    setAttempts((count) => count + 1)
    onSubmit(formData as Values)
  }
  return (
    <div ref={frame} className="form-frame" aria-busy={busy}>
      <ErrorVisibilityContext value={gate}>
        <ThemedForm
          id={formId}
          idPrefix={prefixOf(formId)}
          schema={schema as RJSFSchema}
          uiSchema={uiSchema}
          validator={validator}
          initialFormData={start}
          formContext={context ?? {}}
          readonly={busy}
          liveValidate="onChange"
          noHtml5Validate
          showErrorList={false}
          extraErrors={extraErrors}
          transformErrors={transformErrors}
          customValidate={customValidate}
          onChange={change}
          onSubmit={submit}
          onError={() => setAttempts((count) => count + 1)}
        >
          <></>
        </ThemedForm>
      </ErrorVisibilityContext>
    </div>
  )
}

/** The group of all fields has the prefix for an id, so it must differ from that of the form. */
const prefixOf = (formId: string) => `${formId}-field`
const idOf = (formId: string, field: string) => [prefixOf(formId), ...field.split('.')].join('_')

const focusOn = (frame: HTMLElement | null, wanted: string) => {
  const fields = [...(frame?.querySelectorAll<HTMLInputElement>(wanted) ?? [])]
  fields.find((field) => !field.disabled && field.type !== 'hidden')?.focus()
}
