import { Button, Intent } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, Cross, Duplicate, Plus, Trash } from '@blueprintjs/icons'
import {
  getSubmitButtonOptions,
  TranslatableString,
  type IconButtonProps,
  type SubmitButtonProps,
} from '@rjsf/utils'
import type { JSX, MouseEventHandler } from 'react'

type Look = { icon: JSX.Element; words: TranslatableString; intent?: Intent; text?: true }

/** The library gives onClick for a button, Blueprint wants it for any element. */
const iconButton = ({ icon, words, intent, text }: Look) =>
  function IconButton({ id, className, disabled, onClick, registry, uiSchema }: IconButtonProps) {
    const said = registry.translateString(words)
    const subject = (uiSchema?.['ui:title'] as string | undefined) ?? ''
    return (
      <Button
        id={id}
        className={className}
        disabled={disabled}
        icon={icon}
        intent={intent}
        variant={text ? 'outlined' : 'minimal'}
        text={text ? `${said} ${subject}`.trim() : undefined}
        aria-label={text ? undefined : said}
        title={text ? undefined : said}
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
  AddButton: iconButton({ icon: <Plus />, words: TranslatableString.AddItemButton, text: true }),
  CopyButton: iconButton({ icon: <Duplicate />, words: TranslatableString.CopyButton }),
  MoveDownButton: iconButton({ icon: <ArrowDown />, words: TranslatableString.MoveDownButton }),
  MoveUpButton: iconButton({ icon: <ArrowUp />, words: TranslatableString.MoveUpButton }),
  RemoveButton: iconButton({
    icon: <Trash />,
    words: TranslatableString.RemoveButton,
    intent: Intent.DANGER,
  }),
  ClearButton: iconButton({ icon: <Cross />, words: TranslatableString.ClearButton }),
}
