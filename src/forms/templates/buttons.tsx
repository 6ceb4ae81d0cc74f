import { Button, Intent } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, Cross, Duplicate, Plus, Trash } from '@blueprintjs/icons'
import {
  getSubmitButtonOptions,
  TranslatableString,
  type IconButtonProps,
  type SubmitButtonProps,
} from '@rjsf/utils'
import type { JSX, MouseEventHandler } from 'react'

type ButtonOptions = { icon: JSX.Element; label: TranslatableString; intent?: Intent; text?: true }

/** The type of onClick differs: the form library has one for a button, Blueprint one for any element. */
const iconButton = ({ icon, label, intent, text }: ButtonOptions) =>
  function IconButton({ id, className, disabled, onClick, registry, uiSchema }: IconButtonProps) {
    const translated = registry.translateString(label)
    const subject = (uiSchema?.['ui:title'] as string | undefined) ?? ''
    return (
      <Button
        id={id}
        className={className}
        disabled={disabled}
        icon={icon}
        intent={intent}
        variant={text ? 'outlined' : 'minimal'}
        text={text ? `${translated} ${subject}`.trim() : undefined}
        aria-label={text ? undefined : translated}
        title={text ? undefined : translated}
        onClick={onClick as MouseEventHandler<HTMLElement> | undefined}
      />
    )
  }

const SubmitButton = ({ uiSchema }: SubmitButtonProps) => {
  const { submitText, norender, props } = getSubmitButtonOptions(uiSchema)
  return norender ? null : <Button type="submit" intent={Intent.PRIMARY} text={submitText} {...props} />
}

export const buttons = {
  SubmitButton,
  AddButton: iconButton({ icon: <Plus />, label: TranslatableString.AddItemButton, text: true }),
  CopyButton: iconButton({ icon: <Duplicate />, label: TranslatableString.CopyButton }),
  MoveDownButton: iconButton({ icon: <ArrowDown />, label: TranslatableString.MoveDownButton }),
  MoveUpButton: iconButton({ icon: <ArrowUp />, label: TranslatableString.MoveUpButton }),
  RemoveButton: iconButton({
    icon: <Trash />,
    label: TranslatableString.RemoveButton,
    intent: Intent.DANGER,
  }),
  ClearButton: iconButton({ icon: <Cross />, label: TranslatableString.ClearButton }),
}
