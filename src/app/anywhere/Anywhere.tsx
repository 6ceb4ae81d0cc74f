import { Classes } from '@blueprintjs/core'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { Portal } from '../../api/portal.ts'
import type { ScreenMachines } from '../../api/provide.ts'
import { closeAnywhere, keepTypedEarly, openAnywhere, useAnywhere } from '../../parts/anywhere.ts'
import { loadable, useFetched } from '../../parts/loadable.tsx'
import './anywhere.css'
import type { Screen } from '../screenTable.tsx'
import { DoneMessage } from './DoneMessage.tsx'
import { focusFirstField } from './firstField.ts'
import { createKeyHandler, keyGroupsOf } from './keys.ts'
import { areKeysOn } from './keySetting.ts'

/** Stands in the place of Find until its code is there. */
const FindComing = () => {
  useLayoutEffect(() => {
    document.addEventListener('keydown', keepTypedEarly, true)
    return () => document.removeEventListener('keydown', keepTypedEarly, true)
  }, [])
  return null
}
const FindDialog = loadable(async () => (await import('./FindDialog.tsx')).FindDialog, <FindComing />)
const KeysDialog = loadable(async () => (await import('./KeysDialog.tsx')).KeysDialog)
const HelpDialog = loadable(async () => (await import('./HelpDialog.tsx')).HelpDialog)

type Props = {
  portal: Pick<Portal, 'doneMessages'>
  machines: Pick<ScreenMachines, 'find'>
  viewer: Viewer
  screens: readonly Screen[]
  /** Whether somebody just signed in. */
  isFresh: boolean
  /** The id of what takes the focus where the element that had it is gone. */
  fallbackFocus: string
}

/** The keys, the dialogs that open over every screen, and the message after each save. */
export const Anywhere = ({ portal, machines, viewer, screens, isFresh, fallbackFocus }: Props) => {
  const navigate = useNavigate()
  const dialog = useAnywhere()
  const machine = useFetched(machines.find, dialog?.name === 'find')
  const places = useMemo(
    () =>
      screens
        .filter(({ path, allow }) => !path.includes(':') && allow(viewer))
        .map(({ path, title, creates }) => ({
          path,
          title,
          ...(creates?.allow(viewer) && { creates: creates.noun }),
        })),
    [screens, viewer],
  )
  const groups = useMemo(() => keyGroupsOf(places, (path) => void navigate(path)), [places, navigate])
  useLayoutEffect(() => {
    const handle = createKeyHandler({
      groups: () => groups,
      isOn: areKeysOn,
      hasDialog: () => document.body.classList.contains(Classes.OVERLAY_OPEN),
    })
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [groups])
  useEffect(() => (isFresh ? focusFirstField() : undefined), [isFresh])
  useCloseAtEnd()
  const close = () => closeAnywhere(fallbackFocus)
  return (
    <>
      <DoneMessage messages={portal.doneMessages} viewer={viewer} />
      {dialog?.name === 'find' && !machine && <FindComing />}
      {dialog?.name === 'find' && machine && (
        <FindDialog
          machine={machine}
          commands={commandsOf(places)}
          onClose={close}
          onChoose={({ to, run }) => {
            closeAnywhere(null)
            if (run) run()
            else void navigate(to)
          }}
        />
      )}
      {dialog?.name === 'keys' && <KeysDialog groups={groups} onClose={close} />}
      {dialog?.name === 'help' && <HelpDialog viewer={viewer} about={dialog.about} onClose={close} />}
    </>
  )
}

/** Closes the dialog when the session ends, so that who signs in next does not find it open. */
const useCloseAtEnd = () => {
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
      // The strict mode of React runs an effect again at once.
      queueMicrotask(() => isThere.current || closeAnywhere(null))
    }
  }, [])
}

/** What can be done by its name: screens, new records, and the dialogs of the keys and of the help. */
const commandsOf = (places: readonly { path: string; title: string; creates?: string }[]) => [
  { title: 'Go to', rows: places.map(({ path, title }) => ({ text: title, to: path })) },
  {
    title: 'Commands',
    rows: [
      ...places.flatMap(({ path, creates }) =>
        creates === undefined ? [] : [{ text: `New ${creates}`, to: `${path}?open=new` }],
      ),
      { text: 'Show the keys', to: '#keys', run: () => openAnywhere({ name: 'keys' }) },
      { text: 'Help', to: '#help', run: () => openAnywhere({ name: 'help', about: '' }) },
    ],
  },
]
