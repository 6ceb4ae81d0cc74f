import { BlueprintProvider, Classes } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import { useActor, useSelector } from '@xstate/react'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { PortalSettings } from '../../../schemas/api/home.ts'
import { portalName } from '../../../schemas/constants.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { Portal } from '../../api/portal.ts'
import type { ScreenMachines } from '../../api/provide.ts'
import { useActorEnvironment } from '../../parts/actorOptions.ts'
import './shell.css'
import type { Screen } from '../screenTable.tsx'
import { AccountItems } from './AccountItems.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { ErrorDialog } from './ErrorDialog.tsx'
import { navigationOf } from './navigation.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { SupportCard } from './SupportCard.tsx'
import { TermsDialog } from './TermsDialog.tsx'
import { accountButtonId, TopBar } from './TopBar.tsx'

/**
 * Keeps the page behind a dialog out of reach of the keyboard and of screen readers. Blueprint marks the body while
 * a dialog with a backdrop is open. Answers how to stop.
 */
export const disableBehindDialogs = (behind: HTMLElement): (() => void) => {
  const update = () => {
    behind.inert = document.body.classList.contains(Classes.OVERLAY_OPEN)
  }
  const observer = new MutationObserver(update)
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] })
  update()
  return () => {
    observer.disconnect()
    behind.inert = false
  }
}

type Props = { portal: Portal; wired: ScreenMachines; viewer: Viewer; screens: readonly Screen[]; children: ReactNode }

/** What stands around every screen, and the dialogs that belong to none. */
export const Shell = ({ portal: { session, failure }, wired, viewer, screens, children }: Props) => {
  const given = useActorEnvironment()
  const [settings, sendSettings] = useActor(wired.settings, given)
  const [password, sendPassword] = useActor(wired.password, given)
  const [verification, sendVerification] = useActor(wired.verification, given)
  const email = useSelector(session, (snapshot) => snapshot.context.user?.email ?? null)
  const frame = useRef<HTMLDivElement>(null)
  const main = useFocusOnArrival()
  useEffect(() => sendSettings({ type: 'load' }), [sendSettings])
  useEffect(() => disableBehindDialogs(frame.current!), [])
  const known = settings.context.result as PortalSettings | null
  const script = known?.widget ?? null
  useEffect(() => {
    if (script !== null && email !== null) wired.helpdeskWidget().send({ type: 'install', script })
  }, [script, email, wired])
  const navigation = useMemo(() => navigationOf(screens, viewer, known), [screens, viewer, known])
  return (
    <BlueprintProvider>
      <div ref={frame} className="shell">
        <a className="shell-skip" href="#main">
          Skip to the content
        </a>
        <TopBar
          navigation={navigation}
          username={viewer.username}
          account={(onGo) => (
            <AccountItems
              onChangePassword={() => sendPassword({ type: 'open' })}
              onLogout={() => session.send({ type: 'session.logout' })}
              onGo={onGo}
            />
          )}
        />
        <main ref={main} id="main" className="shell-main" tabIndex={-1}>
          {children}
        </main>
        {email === null && <SupportCard onValidate={() => sendVerification({ type: 'open' })} />}
        <footer className="shell-footer">{portalName}</footer>
      </div>
      <PasswordDialog
        snapshot={password}
        send={sendPassword}
        onClosed={() => document.getElementById(accountButtonId)?.focus()}
      />
      <EmailDialog snapshot={verification} send={sendVerification} />
      <ErrorDialog failure={failure} />
      <TermsDialog session={session} terms={wired.terms} />
    </BlueprintProvider>
  )
}

/** A new screen begins at its top and has the focus; a new page of the same list does not. */
const useFocusOnArrival = () => {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
