import { withTheme } from '@rjsf/core'
import { BaseInput } from './templates/BaseInput.tsx'
import { buttons } from './templates/buttons.tsx'
import { Field } from './templates/Field.tsx'
import { Fields } from './templates/Fields.tsx'
import { ListRow, Rows } from './templates/Rows.tsx'
import { Description, Help, EmptyTemplate, Title } from './templates/texts.tsx'
import { Dollars, Percent } from './widgets/amounts.tsx'
import { Choice } from './widgets/Choice.tsx'
import { Flag } from './widgets/Flag.tsx'
import { Moment } from './widgets/Moment.tsx'
import { Month } from './widgets/Month.tsx'
import { Paragraph } from './widgets/Paragraph.tsx'
import { Password } from './widgets/Password.tsx'
import { PermissionBoxes } from './widgets/PermissionBoxes.tsx'
import { Reference } from './widgets/picker/Reference.tsx'
import { Seconds } from './widgets/Seconds.tsx'
import '../parts/fields/required.css'
import './forms.css'

/**
 * The widgets of the kinds in schemas/fields.ts. Text and number use the base input; permissions are a field.
 */
const kinds = {
  textarea: Paragraph,
  choice: Choice,
  flag: Flag,
  password: Password,
  dollars: Dollars,
  percent: Percent,
  seconds: Seconds,
  moment: Moment,
  month: Month,
  reference: Reference,
}

/** The form library with Blueprint components. */
export const ThemedForm = withTheme({
  fields: { permissions: PermissionBoxes },
  templates: {
    BaseInputTemplate: BaseInput,
    FieldTemplate: Field,
    ObjectFieldTemplate: Fields,
    ArrayFieldTemplate: Rows,
    ArrayFieldItemTemplate: ListRow,
    TitleFieldTemplate: Title,
    DescriptionFieldTemplate: Description,
    FieldHelpTemplate: Help,
    FieldErrorTemplate: EmptyTemplate,
    ErrorListTemplate: EmptyTemplate,
    ButtonTemplates: buttons,
  },
  widgets: {
    ...kinds,
    CheckboxWidget: Flag,
    SelectWidget: Choice,
    TextareaWidget: Paragraph,
    PasswordWidget: Password,
  },
})
