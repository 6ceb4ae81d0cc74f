import { Classes, OverlaysProvider, PortalProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import { useActor, useSelector } from '@xstate/react'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { PortalSettings } from '../../../schemas/api/home.ts'
import { portalName } from '../../../schemas/constants.ts'
import { holds, type Viewer } from '../../../schemas/permissions.ts'
import type { Portal } from '../../api/portal.ts'
import type { ScreenMachines } from '../../api/provide.ts'
import { InboxCount } from '../../features/inbox/InboxCount.tsx'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { EmailValidationContext } from '../../parts/hooks/emailValidation.ts'
import { loadable } from '../../parts/loadable.tsx'
import './shell.css'
import { Anywhere } from '../anywhere/Anywhere.tsx'
import type { Screen } from '../screenTable.tsx'
import { AccountItems } from './AccountItems.tsx'
import { navigationOf } from './bar/navigation.ts'
import { accountButtonId, TopBar } from './bar/TopBar.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { ErrorDialog } from './ErrorDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { SupportCard, UnfoldButton, useFoldedCard } from './SupportCard.tsx'
import { TermsDialog } from './TermsDialog.tsx'

const ReauthenticateDialog = loadable(
  async () => (await import('./ReauthenticateDialog.tsx')).ReauthenticateDialog,
)
const SessionsDialog = loadable(
  async () => (await import('../../features/sessions/SessionsDialog.tsx')).SessionsDialog,
)

/**
 * Makes the page inert while a dialog is open (shell 10): Blueprint marks the body while one with a backdrop
 * is open. Returns how to stop.
 */
const disableBehindDialogs = (page: HTMLElement): (() => void) => {
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

const importsFiles = holds('import_files')

type Props = {
  portal: Portal
  machines: ScreenMachines
  viewer: Viewer
  screens: readonly Screen[]
  /** Whether somebody just signed in. Then the first field takes the focus (everywhere 5). */
  isFresh: boolean
  children: ReactNode
}

/**
 * The focus, and the place to which Back returns, are kept (everywhere 5) from the first element that takes
 * the focus or the first move of the pointer on; the code for it is fetched then, and is no part of the first
 * load. Without the code, when it cannot be fetched, the screen works as well.
 */
function keepFocusOnceUsed() {
  const waiting = new AbortController()
  let kept: Promise<() => void> | undefined
  const begin = () => {
    waiting.abort()
    kept = import('../../parts/hooks/focusAndPlaces.ts').then(
      ({ keepFocusAndPlaces }) => keepFocusAndPlaces(),
      () => () => {},
    )
  }
  for (const act of ['focusin', 'pointermove'])
    document.addEventListener(act, begin, { signal: waiting.signal })
  return () => {
    waiting.abort()
    void kept?.then((end) => end())
  }
}

/** The bar and the footer around every screen, and the dialogs that belong to no screen. */
export const Shell = ({ portal, machines, viewer, screens, isFresh, children }: Props) => {
  const { session, failure } = portal
  const given = useActorEnvironment()
  const [settings, sendSettings] = useActor(machines.settings, given)
  const [password, sendPassword] = useActor(machines.password, given)
  const [verification, sendVerification] = useActor(machines.verification, given)
  const email = useSelector(session, (snapshot) => snapshot.context.user?.email ?? null)
  const [showsSessions, setShowsSessions] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const main = useFocusOnNewScreen()
  const { pathname } = useLocation()
  const validate = useCallback(() => sendVerification({ type: 'open' }), [sendVerification])
  useEffect(() => sendSettings({ type: 'load' }), [sendSettings])
  useEffect(() => disableBehindDialogs(frame.current!), [])
  useEffect(keepFocusOnceUsed, [])
  const known = settings.context.result as PortalSettings | null
  useHelpdeskWidget(machines, known?.widget ?? null, email)
  const { navigation, setWaiting } = useNavigation(screens, viewer, known)
  return (
    <Overlays>
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
        {importsFiles(viewer) && <WaitingFiles {...{ session, machines }} onCount={setWaiting} />}
        <main ref={main} id="main" className="shell-main" tabIndex={-1}>
          <EmailValidationContext value={validate}>{children}</EmailValidationContext>
          {pathname === '/' && known?.backup && <p className="shell-backup">{known.backup}</p>}
        </main>
        <Footer {...{ viewer, validate }} hasCard={email === null && pathname !== '/tickets'} />
      </div>
      <AccountDialogs
        {...{ machines, password, sendPassword, showsSessions }}
        onSessionsClosed={() => setShowsSessions(false)}
      />
      <EmailDialog snapshot={verification} send={sendVerification} />
      <ErrorDialog failure={failure} />

      <Anywhere {...{ portal, machines, viewer, screens, isFresh }} fallbackFocus={accountButtonId} />
      <TermsDialog session={session} terms={machines.terms} />
    </Overlays>
  )
}

/** What Blueprint's dialogs and menus stand in: its own provider brings its keys too, which are not used. */
const Overlays = ({ children }: { children: ReactNode }) => (
  <PortalProvider>
    <OverlaysProvider>{children}</OverlaysProvider>
  </PortalProvider>
)

type WaitingProps = Pick<Portal, 'session'> & { machines: ScreenMachines; onCount: (waiting: number) => void }

/** Counts the files of the inbox; not while terms are asked about, when nothing is sent. */
const WaitingFiles = ({ session, machines, onCount }: WaitingProps) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsPrompt'))
  return !isAsked && <InboxCount inbox={machines.inboxCount} onCount={onCount} />
}

type FooterProps = { viewer: Viewer; hasCard: boolean; validate: () => void }

/** The footer, and the support card above it until it is folded. The screen of the tickets has its button. */
const Footer = ({ viewer, hasCard, validate }: FooterProps) => {
  const card = useFoldedCard(viewer.username)
  return (
    <>
      {hasCard && !card.isFolded && <SupportCard onValidate={validate} onFold={() => card.fold(true)} />}
      <footer className="shell-footer">
        {portalName}
        {hasCard && card.isFolded && <UnfoldButton onUnfold={() => card.fold(false)} />}
      </footer>
    </>
  )
}

type AccountDialogsProps = {
  machines: ScreenMachines
  password: SnapshotFrom<ScreenMachines['password']>
  sendPassword: (event: EventFromLogic<ScreenMachines['password']>) => void
  showsSessions: boolean
  onSessionsClosed: () => void
}

/** The dialogs of the account menu. */
const AccountDialogs = (props: AccountDialogsProps) => {
  const { machines, password, sendPassword, showsSessions, onSessionsClosed } = props
  return (
    <>
      <PasswordDialog snapshot={password} send={sendPassword} onClosed={focusAccount} />
      {!password.matches('closed') && <ReauthenticateDialog snapshot={password} send={sendPassword} />}
      {showsSessions && (
        <SessionsDialog machinesOf={machines.sessions} onClose={onSessionsClosed} onClosed={focusAccount} />
      )}
    </>
  )
}

/** The entries of the bar, with the number of files that wait as it was reported last. */
const useNavigation = (screens: readonly Screen[], viewer: Viewer, settings: PortalSettings | null) => {
  const [waiting, setWaiting] = useState(0)
  const navigation = useMemo(
    () => navigationOf(screens, viewer, settings, { '/inbox': waiting }),
    [screens, viewer, settings, waiting],
  )
  return { navigation, setWaiting }
}

/** Installs the widget of the help desk once its script and the email are known. */
const useHelpdeskWidget = (machines: ScreenMachines, script: string | null, email: string | null) =>
  useEffect(() => {
    if (script === null || email === null) return
    let isSignedIn = true
    machines.helpdeskWidget().then(
      (widget) => isSignedIn && widget.send({ type: 'install', script }),
      () => {},
    )
    return () => {
      isSignedIn = false
    }
  }, [script, email, machines])

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
