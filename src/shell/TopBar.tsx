import { Button, Navbar, NavbarGroup } from '@blueprintjs/core'
import { MenuIcon, UserIcon } from '@blueprintjs/icons'
import { useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { portalName } from '../../schemas/constants.ts'
import { useMedia } from '../media.ts'
import { MenuButton } from './MenuButton.tsx'
import { NavDrawer } from './NavDrawer.tsx'
import { isGroup, type Entry, type Navigation } from './navigation.ts'
import { NavItem } from './NavItem.tsx'

/** `account` draws what belongs to the person; it is told what to do once an item was chosen. */
type Props = { navigation: Navigation; username: string; account: (onGo?: () => void) => ReactNode }

/** The button behind which the account stands: where the focus returns to from its dialogs. */
export const accountButtonId = 'account'

/** The portal's name, its menus and, on the right, what belongs to the person. */
export const TopBar = (props: Props) => {
  const isNarrow = useMedia('(max-width: 899.98px)')
  return (
    <header className="shell-bar bp6-dark">
      <Navbar>{isNarrow ? <NarrowBar {...props} /> : <WideBar {...props} />}</Navbar>
    </header>
  )
}

const Brand = () => (
  <Link to="/" className="shell-brand">
    <img src="/icon.svg" alt="" width="24" height="24" />
    {portalName}
  </Link>
)

const WideBar = ({ navigation, username, account }: Props) => {
  const { pathname } = useLocation()
  return (
    <>
      <NavbarGroup className="shell-left">
        <Brand />
        <nav aria-label="Main" className="shell-nav">
          {navigation.left.map((item) =>
            isGroup(item) ? (
              <MenuButton key={item.title} text={item.title} active={item.entries.some(({ to }) => to === pathname)}>
                {item.entries.map((entry) => (
                  <NavItem key={entry.to} entry={entry} />
                ))}
              </MenuButton>
            ) : (
              <BarLink key={item.to} entry={item} />
            ),
          )}
        </nav>
      </NavbarGroup>
      <NavbarGroup align="right" className="shell-right">
        {navigation.right.map((entry) => (
          <BarLink key={entry.to} entry={entry} />
        ))}
        <MenuButton id={accountButtonId} text={`Welcome, ${username}`} icon={<UserIcon />} isEnd>
          {account()}
        </MenuButton>
      </NavbarGroup>
    </>
  )
}

const look = 'bp6-button bp6-minimal'
const BarLink = ({ entry: { text, to, isExternal } }: { entry: Entry }) =>
  isExternal ? (
    <a className={look} href={to} target="_blank" rel="noopener">
      {text}
    </a>
  ) : (
    <NavLink className={({ isActive }) => (isActive ? `${look} bp6-active` : look)} to={to}>
      {text}
    </NavLink>
  )

const NarrowBar = ({ navigation, username, account }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <NavbarGroup className="shell-left">
      <Button id={accountButtonId} variant="minimal" icon={<MenuIcon />} aria-label="Menu" aria-expanded={isOpen} onClick={() => setOpen(true)} />
      <Brand />
      <NavDrawer navigation={navigation} username={username} isOpen={isOpen} onClose={close}>
        {account(close)}
      </NavDrawer>
    </NavbarGroup>
  )
}
