import { Checkbox } from '@blueprintjs/core'
import type { FieldProps } from '@rjsf/utils'
import type { Property } from '../../../schemas/entities/entity.ts'
import type { Permission } from '../../../schemas/permissions.ts'
import type { FormContext } from '../context.ts'
import { useAriaDescription } from '../fieldState.ts'
import { Reason } from '../templates/Field.tsx'

/** A checkbox per permission. Nobody can grant or revoke a permission they lack (users 4). */
export const PermissionBoxes = ({
  schema,
  formData,
  fieldPathId,
  disabled,
  readonly,
  registry,
  onChange,
}: FieldProps) => {
  const { viewer } = registry.formContext as FormContext
  const described = useAriaDescription()
  const held = (formData ?? {}) as Record<string, boolean>
  const boxes = Object.entries((schema.properties ?? {}) as Record<string, Property>)
  const lacks = (name: string) => !viewer?.permissions[name as Permission]
  const noteId = `${fieldPathId.$id}__note`
  return (
    <fieldset className="form-group-of-fields" id={fieldPathId.$id} {...described}>
      <legend>{schema.title}</legend>
      {!disabled && boxes.some(([name]) => lacks(name)) && (
        <Reason id={noteId}>Only a permission you hold yourself can be granted or revoked</Reason>
      )}
      <div className="form-grid" data-columns={4}>
        {boxes.map(([name, { title }]) => (
          <Checkbox
            key={name}
            label={title ?? name}
            checked={held[name] === true}
            disabled={disabled || readonly || lacks(name)}
            aria-describedby={disabled ? described['aria-describedby'] : lacks(name) ? noteId : undefined}
            onChange={({ currentTarget }) =>
              onChange(
                { ...held, [name]: currentTarget.checked },
                fieldPathId.path,
                undefined,
                fieldPathId.$id,
              )
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
