import { Button, Navbar } from '@blueprintjs/core'
import { MenuIcon, UserIcon } from '@blueprintjs/icons'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { portalName } from '../../../schemas/constants.ts'
import { useMediaQuery } from '../../parts/browser.ts'
import { MenuButton } from './MenuButton.tsx'
import { NavDrawer, NavItem } from './NavDrawer.tsx'
import { isGroup, type MenuEntry, type Navigation } from './navigation.ts'

/** `account` renders the items of the account; `onGo` is called when one is chosen. */
type Props = { navigation: Navigation; username: string; account: (onGo?: () => void) => ReactNode }

/** The button of the account menu: has the focus after a dialog of the account closes. */
export const accountButtonId = 'account'

/** The name of the portal, its menus and, on the right, the account (shell 3). */
export const TopBar = (props: Props) => {
  const [width, setWidth] = useState(0)
  const isNarrow = useMediaQuery(`(max-width: ${Math.max(900, width) - 0.02}px)`)
  return (
    <header className="shell-bar bp6-dark">
      <Navbar>{isNarrow ? <NarrowBar {...props} /> : <WideBar {...props} onWidth={setWidth} />}</Navbar>
    </header>
  )
}

/** The padding of the bar and the smallest gap between its halves, in pixels. */
const paddingAndGap = 40

const Brand = ({ navigation }: Pick<Props, 'navigation'>) => (
  <Link to={navigation.home} className="shell-brand">
    <img src="/icon.svg" alt="" width="24" height="24" />
    {portalName}
  </Link>
)

/** Reports its width, so that the drawer replaces it before it overflows (shell 6). */
const WideBar = ({
  navigation,
  username,
  account,
  onWidth,
}: Props & { onWidth: (pixels: number) => void }) => {
  const { pathname } = useLocation()
  const left = useRef<HTMLDivElement>(null)
  const right = useRef<HTMLDivElement>(null)
  useLayoutEffect(
    () => onWidth(left.current!.offsetWidth + right.current!.offsetWidth + paddingAndGap),
    [navigation, username, onWidth],
  )
  return (
    <>
      <div ref={left} className="shell-left">
        <Brand navigation={navigation} />
        <nav aria-label="Main" className="shell-nav">
          {navigation.left.map((item) =>
            isGroup(item) ? (
              <MenuButton
                key={item.title}
                text={item.title}
                active={item.entries.some(({ to }) => to === pathname)}
              >
                {item.entries.map((entry) => (
                  <NavItem key={entry.to} entry={entry} />
                ))}
              </MenuButton>
            ) : (
              <BarLink key={item.to} entry={item} />
            ),
          )}
        </nav>
      </div>
      <div ref={right} className="shell-right">
        {navigation.right.map((entry) => (
          <BarLink key={entry.to} entry={entry} />
        ))}
        <MenuButton id={accountButtonId} text={`Welcome, ${username}`} icon={<UserIcon />} isEnd>
          {navigation.home !== '/' && <NavItem entry={{ text: 'Home', to: '/' }} />}
          {account()}
        </MenuButton>
      </div>
    </>
  )
}

const linkClass = 'bp6-button bp6-minimal'
const BarLink = ({ entry: { text, to, isExternal } }: { entry: MenuEntry }) =>
  isExternal ? (
    <a className={linkClass} href={to} target="_blank" rel="noopener">
      {text}
    </a>
  ) : (
    <NavLink className={({ isActive }) => (isActive ? `${linkClass} bp6-active` : linkClass)} to={to}>
      {text}
    </NavLink>
  )

const NarrowBar = ({ navigation, username, account }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div className="shell-left">
      <Button
        id={accountButtonId}
        variant="minimal"
        icon={<MenuIcon />}
        aria-label="Menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      <Brand navigation={navigation} />
      <NavDrawer navigation={navigation} username={username} isOpen={isOpen} onClose={close}>
        {account(close)}
      </NavDrawer>
    </div>
  )
}
