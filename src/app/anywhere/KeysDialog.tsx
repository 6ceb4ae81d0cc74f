import { Dialog, DialogBody, Switch } from '@blueprintjs/core'
import { Fragment } from 'react'
import type { Key, KeyGroup } from './keys.ts'
import { switchKeys, useKeysOn } from './keySetting.ts'

type Props = { groups: readonly KeyGroup[]; onClose: () => void }

/** All keys, and the switch of those without a modifier (everywhere 2). */
export const KeysDialog = ({ groups, onClose }: Props) => {
  const isOn = useKeysOn()
  return (
    <Dialog
      isOpen
      title="Keys"
      className="keys-dialog"
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={onClose}
    >
      <DialogBody>
        <Switch
          checked={isOn}
          label="Keys without Ctrl or ⌘ are on"
          onChange={(event) => switchKeys(event.currentTarget.checked)}
        />
        <div className="keys-groups" tabIndex={0}>
          {groups
            .filter(({ keys }) => keys.length > 0)
            .map(({ title, keys }) => (
              <section key={title} aria-label={title}>
                <h3>{title}</h3>
                <dl className="keys-list">
                  {keys.map((key) => (
                    <Fragment key={key.text}>
                      <dt>
                        <PressedKeys keys={key.keys} />
                      </dt>
                      <dd>{key.text}</dd>
                    </Fragment>
                  ))}
                </dl>
              </section>
            ))}
        </div>
      </DialogBody>
    </Dialog>
  )
}

/** 'Ctrl + K', 'g then m'. */
const PressedKeys = ({ keys }: Pick<Key, 'keys'>) =>
  keys.map((key, at) => (
    <Fragment key={key}>
      {at > 0 && ' then '}
      {key.split(/(?<=.)\+/).map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' + '}
          <kbd>{index > 0 ? part.toUpperCase() : part}</kbd>
        </Fragment>
      ))}
    </Fragment>
  ))
