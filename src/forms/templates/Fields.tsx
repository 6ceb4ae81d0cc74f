import {
  buttonId,
  canExpand,
  descriptionId,
  getTemplate,
  getUiOptions,
  titleId,
  type ObjectFieldTemplateProps,
} from '@rjsf/utils'
import type { ReactNode } from 'react'
import { GroupReasonContext } from '../fieldState.ts'
import type { GroupOptions } from '../uiSchema.ts'
import { Reason } from './Field.tsx'

/** The fields of an object, laid out in the groups its uiSchema names; fields of no group come last. */
export const Fields = (props: ObjectFieldTemplateProps) => {
  const {
    title,
    description,
    properties,
    registry,
    schema,
    uiSchema,
    fieldPathId,
    required,
    disabled,
    readonly,
  } = props
  const options = getUiOptions(uiSchema)
  const groups = (options.groups ?? []) as readonly GroupOptions[]
  const grouped = new Set(groups.flatMap((group) => group.fields))
  const rest = properties.filter((property) => !grouped.has(property.name))
  const contentOf = (name: string) => properties.find((property) => property.name === name)?.content

  const Title = getTemplate<'TitleFieldTemplate'>('TitleFieldTemplate', registry, options)
  const Description = getTemplate<'DescriptionFieldTemplate'>('DescriptionFieldTemplate', registry, options)
  const { AddButton } = registry.templates.ButtonTemplates
  const same = { schema, uiSchema, registry }
  const header = (
    <>
      {title && (
        <Title
          id={titleId(fieldPathId)}
          title={title}
          required={required}
          optionalDataControl={props.optionalDataControl}
          {...same}
        />
      )}
      {description && <Description id={descriptionId(fieldPathId)} description={description} {...same} />}
      {!title && props.optionalDataControl}
    </>
  )
  const body = (
    <>
      {groups.map((group, at) => (
        <FieldGroup key={group.fields.join()} group={group} id={`${fieldPathId.$id}__group${at}`}>
          {group.fields.map(contentOf)}
        </FieldGroup>
      ))}
      {rest.length > 0 && (
        <Grid of={rest.filter((property) => !property.hidden).length}>
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
    </>
  )
  return title ? (
    <fieldset className="form-group-of-fields" id={fieldPathId.$id}>
      {header}
      {body}
    </fieldset>
  ) : (
    <div id={fieldPathId.$id}>
      {header}
      {body}
    </div>
  )
}

const FieldGroup = ({ group, id, children }: { group: GroupOptions; id: string; children: ReactNode }) => {
  const content = (
    <GroupReasonContext value={group.reason ? id : null}>
      {group.reason && <Reason id={id}>{group.reason}</Reason>}
      <Grid of={group.fields.length}>{children}</Grid>
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

/** Up to five fields stand in one row where there is room, more in rows of four. */
const Grid = ({ of, children }: { of: number; children: ReactNode }) => (
  <div className="form-grid" data-columns={of <= 5 ? of : 4}>
    {children}
  </div>
)
