import {
  buttonId,
  canExpand,
  descriptionId,
  getTemplate,
  getUiOptions,
  titleId,
  type ObjectFieldTemplateProps,
} from '@rjsf/utils'
import { use, type ReactNode } from 'react'
import type { FormContext } from '../context.ts'
import { GroupReasonContext } from '../fieldState.ts'
import type { GroupOptions } from '../uiSchema.ts'
import { Reason } from './Field.tsx'

/** The fields of an object in the groups that its uiSchema names; fields without a group come last. */
export const Fields = (props: ObjectFieldTemplateProps) =>
  props.title ? (
    <fieldset className="form-group-of-fields" id={props.fieldPathId.$id}>
      <FieldsHeader {...props} />
      <FieldsBody {...props} />
    </fieldset>
  ) : (
    <div id={props.fieldPathId.$id}>
      <FieldsHeader {...props} />
      <FieldsBody {...props} />
    </div>
  )

const FieldsHeader = (props: ObjectFieldTemplateProps) => {
  const { title, description, registry, schema, uiSchema, fieldPathId, required } = props
  const options = getUiOptions(uiSchema)
  const Title = getTemplate<'TitleFieldTemplate'>('TitleFieldTemplate', registry, options)
  const Description = getTemplate<'DescriptionFieldTemplate'>('DescriptionFieldTemplate', registry, options)
  const shared = { schema, uiSchema, registry }
  return (
    <>
      {title && (
        <Title
          id={titleId(fieldPathId)}
          title={title}
          required={required}
          optionalDataControl={props.optionalDataControl}
          {...shared}
        />
      )}
      {description && <Description id={descriptionId(fieldPathId)} description={description} {...shared} />}
      {!title && props.optionalDataControl}
    </>
  )
}

const FieldsBody = (props: ObjectFieldTemplateProps) => {
  const { properties, registry, schema, uiSchema, fieldPathId, disabled, readonly } = props
  const { groups: given, reasonOfAll } = getUiOptions(uiSchema)
  const groups = (given ?? []) as readonly GroupOptions[]
  const outerReason = use(GroupReasonContext)
  const reasonId = typeof reasonOfAll === 'string' ? `${fieldPathId.$id}__all` : outerReason
  const grouped = new Set(groups.flatMap((group) => group.fields))
  const rest = properties.filter((property) => !grouped.has(property.name))
  const contentOf = (name: string) => properties.find((property) => property.name === name)?.content
  const { groupNote } = registry.formContext as FormContext
  const { AddButton } = registry.templates.ButtonTemplates
  return (
    <GroupReasonContext value={reasonId}>
      {typeof reasonOfAll === 'string' && <Reason id={`${fieldPathId.$id}__all`}>{reasonOfAll}</Reason>}
      {groups.map((group, at) => (
        // Its first field alone: the others keep their controls, and the focus, when a further one appears.
        <FieldGroup key={group.fields[0]} group={group} id={`${fieldPathId.$id}__group${at}`}>
          {groupNote?.field === group.fields[0] && groupNote?.note}
          <Grid count={group.fields.length}>{group.fields.map(contentOf)}</Grid>
        </FieldGroup>
      ))}
      {rest.length > 0 && (
        <Grid count={rest.filter((property) => !property.hidden).length}>
          {rest.map((property) => property.content)}
        </Grid>
      )}
      {canExpand(schema, uiSchema, props.formData) && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          onClick={props.onAddProperty}
          disabled={disabled || readonly}
          uiSchema={uiSchema}
          registry={registry}
        />
      )}
    </GroupReasonContext>
  )
}

const FieldGroup = ({ group, id, children }: { group: GroupOptions; id: string; children: ReactNode }) => {
  const outerReason = use(GroupReasonContext)
  const content = (
    <GroupReasonContext value={group.reason ? id : outerReason}>
      {group.reason && <Reason id={id}>{group.reason}</Reason>}
      {children}
    </GroupReasonContext>
  )
  return group.title ? (
    <fieldset className="form-group-of-fields">
      <legend>{group.title}</legend>
      {content}
    </fieldset>
  ) : (
    <div className="form-group-of-fields">{content}</div>
  )
}

/** Up to five fields stand in one row, if there is room; more stand in rows of four. */
const Grid = ({ count, children }: { count: number; children: ReactNode }) => (
  <div className="form-grid" data-columns={count <= 5 ? count : 4}>
    {children}
  </div>
)
