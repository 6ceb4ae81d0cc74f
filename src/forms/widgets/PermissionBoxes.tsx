import { Checkbox, Classes } from '@blueprintjs/core'
import type { FieldProps } from '@rjsf/utils'
import type { Property } from '../../../schemas/entities/entity.ts'
import {
  effectivePermissions,
  mayGrant,
  permissionWords,
  type Permission,
  type Permissions,
} from '../../../schemas/permissions.ts'
import type { FormContext } from '../context.ts'
import { useAriaDescription } from '../fieldState.ts'
import { Reason } from '../templates/Field.tsx'

const { manage_permissions: changing, manage_users: managing } = permissionWords
const needsUsers = `“${changing}” gives nothing without “${managing}”`

/**
 * A checkbox per permission, in words. Nobody can grant or revoke a permission they lack (users 4); those
 * that an administrator holds by the flag are ticked and closed (users 5).
 */
export const PermissionBoxes = ({
  schema,
  formData,
  fieldPathId,
  disabled,
  readonly,
  registry,
  onChange,
}: FieldProps) => {
  const { viewer, isAdministrator = false } = registry.formContext as FormContext
  const described = useAriaDescription()
  const given = (formData ?? {}) as Permissions
  const held = effectivePermissions(isAdministrator, given)
  const byFlag = effectivePermissions(isAdministrator, {} as Permissions)
  const boxes = Object.entries((schema.properties ?? {}) as Record<Permission, Property>) as [
    Permission,
    Property,
  ][]
  const isOpen = !disabled && !readonly
  const lacks = (name: Permission) => !viewer || !mayGrant(viewer, name)
  const noteId = `${fieldPathId.$id}__note`
  const flagId = `${fieldPathId.$id}__flag`
  const reasonId = (name: Permission) => (byFlag[name] ? flagId : lacks(name) ? noteId : undefined)
  return (
    <fieldset className="form-group-of-fields" id={fieldPathId.$id} {...described}>
      <legend>{schema.title}</legend>
      {isAdministrator && (
        <Reason id={flagId}>An administrator holds what is ticked and closed here by the flag</Reason>
      )}
      {isOpen && boxes.some(([name]) => lacks(name)) && (
        <Reason id={noteId}>Only a permission you hold yourself can be granted or revoked</Reason>
      )}
      <div className="form-grid" data-columns={4}>
        {boxes.map(([name, { title }]) => (
          <Checkbox
            key={name}
            checked={held[name] === true}
            disabled={!isOpen || byFlag[name] === true || lacks(name)}
            aria-describedby={isOpen ? reasonId(name) : described['aria-describedby']}
            onChange={({ currentTarget }) =>
              onChange(
                { ...given, [name]: currentTarget.checked },
                fieldPathId.path,
                undefined,
                fieldPathId.$id,
              )
            }
          >
            {title ?? name} {viewer?.admin && <code className="form-raw-name">{name}</code>}
          </Checkbox>
        ))}
      </div>
      <div role="status" className={Classes.TEXT_MUTED}>
        {held.manage_permissions && !held.manage_users && needsUsers}
      </div>
    </fieldset>
  )
}
