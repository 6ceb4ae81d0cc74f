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
  onValues: (values: Values) => void
  onSubmit: (values: Values) => void
  /** The first field does not take the focus when the form appears. */
  noAutoFocus?: boolean
}

/**
 * A form without buttons; the buttons of its dialog name `formId`. Errors show at fields that were edited
 * and, after an attempt to save, at all fields (lists 8). The server's faults show at their fields until
 * these are edited.
 */
export const ValidatedForm = (props: Props) => {
  const { formId, busy, onValues, onSubmit } = props
  const { visibility, extraErrors, markEdited, countAttempt, frame } = useErrorDisplay(props)
  const change = ({ formData }: IChangeEvent, id?: string) => {
    if (id) markEdited(id)
    onValues(formData as Values)
  }
  const submit = ({ formData }: IChangeEvent) => {
    if (busy) return
    countAttempt()
    onSubmit(formData as Values)
  }
  return (
    <div ref={frame} className="form-frame" aria-busy={busy}>
      <ErrorVisibilityContext value={visibility}>
        <ThemedForm
          id={formId}
          idPrefix={prefixOf(formId)}
          schema={props.schema as RJSFSchema}
          uiSchema={props.uiSchema}
          validator={props.validator}
          initialFormData={props.initialValues}
          formContext={props.context ?? {}}
          readonly={busy}
          liveValidate="onChange"
          noHtml5Validate
          showErrorList={false}
          extraErrors={extraErrors}
          transformErrors={props.transformErrors}
          customValidate={props.customValidate}
          onChange={change}
          onSubmit={submit}
          onError={countAttempt}
        >
          <></>
        </ThemedForm>
      </ErrorVisibilityContext>
    </div>
  )
}

/**
 * Which errors are shown, and the focus: on the first field at first, on the first invalid one after an
 * attempt.
 */
const useErrorDisplay = ({
  formId,
  faults,
  noAutoFocus,
}: Pick<Props, 'formId' | 'faults' | 'noAutoFocus'>) => {
  const frame = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const [attempts, setAttempts] = useState(0)
  /** The fields edited since the server answered `faults`. */
  const [answered, setAnswered] = useState<{ faults: Props['faults']; edited: ReadonlySet<string> }>({
    faults,
    edited: new Set(),
  })
  if (answered.faults !== faults) setAnswered({ faults, edited: new Set() })

  const visibility = useMemo(
    (): ErrorVisibility => ({ wasSubmitted: attempts > 0 || Object.keys(faults).length > 0, edited }),
    [attempts, edited, faults],
  )
  const extraErrors = useMemo(() => {
    const remaining = Object.entries(faults).filter(([field]) => !answered.edited.has(idOf(formId, field)))
    return toErrorSchema(Object.fromEntries(remaining))
  }, [faults, answered, formId])

  useEffect(() => {
    if (!noAutoFocus) focusOn(frame.current, 'input, select, textarea')
  }, [noAutoFocus])
  useEffect(() => {
    if (visibility.wasSubmitted) focusOn(frame.current, '[aria-invalid]')
    // Only an attempt to save and its answer move the focus, not a change of a field.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [attempts, faults])

  const markEdited = (id: string) => {
    setEdited((before) => new Set([...before, id]))
    setAnswered((before) => ({ ...before, edited: new Set([...before.edited, id]) }))
  }
  const countAttempt = () => setAttempts((count) => count + 1)
  return { visibility, extraErrors, markEdited, countAttempt, frame }
}

/** The id of the outermost group is the prefix itself, so it must differ from the id of the form. */
const prefixOf = (formId: string) => `${formId}-field`
const idOf = (formId: string, field: string) => [prefixOf(formId), ...field.split('.')].join('_')

const focusOn = (frame: HTMLElement | null, selector: string) => {
  const fields = [...(frame?.querySelectorAll<HTMLInputElement>(selector) ?? [])]
  fields.find((field) => !field.disabled)?.focus()
}
