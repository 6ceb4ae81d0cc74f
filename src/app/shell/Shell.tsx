import { BlueprintProvider, Classes } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import { useActor, useSelector } from '@xstate/react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { PortalSettings } from '../../../schemas/api/home.ts'
import { portalName } from '../../../schemas/constants.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { Portal } from '../../api/portal.ts'
import type { ScreenMachines } from '../../api/provide.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import './shell.css'
import type { Screen } from '../screenTable.tsx'
import { AccountItems } from './AccountItems.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { ErrorDialog } from './ErrorDialog.tsx'
import { navigationOf } from './navigation.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { ReauthenticateDialog } from './ReauthenticateDialog.tsx'
import { SupportCard } from './SupportCard.tsx'
import { TermsDialog } from './TermsDialog.tsx'
import { accountButtonId, TopBar } from './TopBar.tsx'

const SessionsDialog = lazy(async () => ({
  default: (await import('../../features/sessions/SessionsDialog.tsx')).SessionsDialog,
}))

/**
 * Makes the page inert while a dialog is open (shell 10): Blueprint marks the body while one with a backdrop
 * is open. Returns how to stop.
 */
export const disableBehindDialogs = (page: HTMLElement): (() => void) => {
  const update = () => {
    page.inert = document.body.classList.contains(Classes.OVERLAY_OPEN)
  }
  const observer = new MutationObserver(update)
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] })
  update()
  return () => {
    observer.disconnect()
    page.inert = false
  }
}

type Props = {
  portal: Portal
  machines: ScreenMachines
  viewer: Viewer
  screens: readonly Screen[]
  children: ReactNode
}

/** The bar and the footer around every screen, and the dialogs that belong to no screen. */
export const Shell = ({ portal: { session, failure }, machines, viewer, screens, children }: Props) => {
  const given = useActorEnvironment()
  const [settings, sendSettings] = useActor(machines.settings, given)
  const [password, sendPassword] = useActor(machines.password, given)
  const [verification, sendVerification] = useActor(machines.verification, given)
  const email = useSelector(session, (snapshot) => snapshot.context.user?.email ?? null)
  const [showsSessions, setShowsSessions] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const main = useFocusOnNewScreen()
  const isHome = useLocation().pathname === '/'
  useEffect(() => sendSettings({ type: 'load' }), [sendSettings])
  useEffect(() => disableBehindDialogs(frame.current!), [])
  const known = settings.context.result as PortalSettings | null
  const script = known?.widget ?? null
  useEffect(() => {
    if (script !== null && email !== null) machines.helpdeskWidget().send({ type: 'install', script })
  }, [script, email, machines])
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
              onSessions={() => setShowsSessions(true)}
              onLogout={() => session.send({ type: 'session.logout' })}
              onGo={onGo}
            />
          )}
        />
        <main ref={main} id="main" className="shell-main" tabIndex={-1}>
          {children}
          {isHome && known?.backup && <p className="shell-backup">{known.backup}</p>}
        </main>
        {email === null && <SupportCard onValidate={() => sendVerification({ type: 'open' })} />}
        <footer className="shell-footer">{portalName}</footer>
      </div>
      <PasswordDialog snapshot={password} send={sendPassword} onClosed={focusAccount} />
      <ReauthenticateDialog snapshot={password} send={sendPassword} />
      {showsSessions && (
        <Suspense fallback={null}>
          <SessionsDialog
            machinesOf={machines.sessions}
            onClose={() => setShowsSessions(false)}
            onClosed={focusAccount}
          />
        </Suspense>
      )}
      <EmailDialog snapshot={verification} send={sendVerification} />
      <ErrorDialog failure={failure} />
      <TermsDialog session={session} terms={machines.terms} />
    </BlueprintProvider>
  )
}

const focusAccount = () => document.getElementById(accountButtonId)?.focus()

/**
 * A new screen scrolls to the top and takes the focus; a new page of the same list and another month do not
 * (shell 10).
 */
const useFocusOnNewScreen = () => {
  const main = useRef<HTMLElement>(null)
  const screen = useLocation().pathname.replace(/^(\/month)\/.*/, '$1')
  const last = useRef(screen)
  useEffect(() => {
    if (last.current === screen) return
    last.current = screen
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [screen])
  return main
}
