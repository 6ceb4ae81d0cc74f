import {
  buttonId,
  getTemplate,
  getUiOptions,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
} from '@rjsf/utils'

/** A list of records inside a record: its rows and a button that adds one. */
export const Rows = (props: ArrayFieldTemplateProps) => {
  const {
    canAdd,
    disabled,
    readonly,
    fieldPathId,
    items,
    onAddClick,
    registry,
    required,
    schema,
    title,
    uiSchema,
  } = props
  const options = getUiOptions(uiSchema)
  const Title = getTemplate<'ArrayFieldTitleTemplate'>('ArrayFieldTitleTemplate', registry, options)
  const Description = getTemplate<'ArrayFieldDescriptionTemplate'>(
    'ArrayFieldDescriptionTemplate',
    registry,
    options,
  )
  const { AddButton } = registry.templates.ButtonTemplates
  const same = { fieldPathId, schema, uiSchema, registry }
  return (
    <fieldset className="form-group-of-fields form-rows" id={fieldPathId.$id}>
      <Title
        title={options.title || title}
        required={required}
        optionalDataControl={props.optionalDataControl}
        {...same}
      />
      <Description description={options.description || schema.description} {...same} />
      {items}
      {canAdd && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          onClick={onAddClick}
          disabled={disabled || readonly}
          uiSchema={uiSchema}
          registry={registry}
        />
      )}
    </fieldset>
  )
}

export const ListRow = ({
  children,
  buttonsProps,
  hasToolbar,
  registry,
  uiSchema,
}: ArrayFieldItemTemplateProps) => {
  const Buttons = getTemplate<'ArrayFieldItemButtonsTemplate'>(
    'ArrayFieldItemButtonsTemplate',
    registry,
    getUiOptions(uiSchema),
  )
  return (
    <div className="form-row">
      <div className="form-row-fields">{children}</div>
      {hasToolbar && (
        <div className="form-row-buttons">
          <Buttons {...buttonsProps} />
        </div>
      )}
    </div>
  )
}
