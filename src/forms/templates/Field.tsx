import { FormGroup, Intent } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import {
  descriptionId,
  errorId,
  getTemplate,
  getUiOptions,
  helpId,
  type FieldTemplateProps,
} from '@rjsf/utils'
import { use, type ReactNode } from 'react'
import { FieldDescriptionContext, GroupReasonContext, useErrorsVisible } from '../fieldState.ts'

/** Why a field or a group cannot be changed (permissions 8). Not a tooltip, which would need a pointer. */
export const Reason = ({ id, children }: { id: string; children: ReactNode }) => (
  <div id={id} className="form-reason">
    <Lock size={12} /> {children}
  </div>
)

/** A field: label, control, and below it errors, the reason why it is disabled, and help. */
export const Field = (props: FieldTemplateProps) => {
  const { id, label, children, hidden, displayLabel, disabled, readonly, uiSchema, registry, schema } = props
  const groupReason = use(GroupReasonContext)
  const errors = [...new Set(props.rawErrors ?? [])]
  const shown = useErrorsVisible(id) ? errors : []
  // The form keeps its value, without a control.
  if (hidden) return null

  const options = getUiOptions(uiSchema)
  const Wrap = getTemplate<'WrapIfAdditionalTemplate'>('WrapIfAdditionalTemplate', registry, options)
  const reason = (disabled || readonly) && typeof options.reason === 'string' ? options.reason : null
  const required = (props.required || options.required === true) && !readonly
  const hasLabel = displayLabel && label && options.widget !== 'flag' && options.widget !== 'checkbox'
  const holdsFields = schema.type === 'object' || (schema.type === 'array' && !options.widget)
  const described = [
    shown.length > 0 && errorId(id),
    displayLabel && props.rawDescription && descriptionId(id),
    props.rawHelp && helpId(id),
    reason && (groupReason ?? `${id}__reason`),
  ].filter(Boolean)
  const below = (
    <>
      {shown.length > 0 && (
        <div id={errorId(id)} className="form-fault">
          {shown.join('. ')}
        </div>
      )}
      {reason && !groupReason && <Reason id={`${id}__reason`}>{reason}</Reason>}
      {props.help}
    </>
  )
  return (
    <Wrap {...props}>
      <FieldDescriptionContext value={{ invalid: shown.length > 0, by: described.join(' ') || undefined }}>
        {holdsFields ? (
          <>
            {children}
            {below}
          </>
        ) : (
          <FormGroup
            label={
              hasLabel ? <span className={required ? 'form-required' : undefined}>{label}</span> : undefined
            }
            labelFor={id}
            subLabel={displayLabel && props.rawDescription ? props.description : undefined}
            intent={shown.length > 0 ? Intent.DANGER : Intent.NONE}
            disabled={disabled}
            helperText={shown.length > 0 || reason || props.rawHelp ? below : undefined}
          >
            {children}
          </FormGroup>
        )}
      </FieldDescriptionContext>
    </Wrap>
  )
}
