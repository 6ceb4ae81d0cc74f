import { Classes } from '@blueprintjs/core'
import { helpId, type DescriptionFieldProps, type FieldHelpProps, type TitleFieldProps } from '@rjsf/utils'

export const Title = ({ id, title, required, optionalDataControl }: TitleFieldProps) => (
  <legend id={id}>
    <span className={required ? 'form-required' : undefined}>{title}</span>
    {optionalDataControl}
  </legend>
)

export const Description = ({ id, description }: DescriptionFieldProps) =>
  description ? (
    <div id={id} className={Classes.TEXT_MUTED}>
      {description}
    </div>
  ) : null

export const Help = ({ fieldPathId, help }: FieldHelpProps) =>
  help ? <div id={helpId(fieldPathId)}>{help}</div> : null

/** Replaces the templates of error texts: Field.tsx shows the errors. */
export const EmptyTemplate = () => null
