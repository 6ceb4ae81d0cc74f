import { Drawer, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { ShareIcon } from '@blueprintjs/icons'
import { Fragment, type ReactNode } from 'react'
import { useHref, useLinkClickHandler, useMatch } from 'react-router-dom'
import { portalName } from '../../../../schemas/constants.ts'
import { handleMenuKey } from '../../../parts/menu/menuKeys.ts'
import { type MenuEntry, isGroup, type Navigation } from './navigation.ts'

type NavItemProps = { entry: MenuEntry; onGo?: () => void }

/** An item of a menu: a link, so that it can be opened in a new tab. */
export const NavItem = ({ entry, onGo }: NavItemProps) =>
  entry.isExternal ? <OutsideItem entry={entry} onGo={onGo} /> : <ScreenItem entry={entry} onGo={onGo} />

const ScreenItem = ({ entry: { text, to, count }, onGo }: NavItemProps) => {
  const go = useLinkClickHandler<HTMLAnchorElement>(to)
  const isHere = useMatch({ path: to, end: to === '/' }) !== null
  return (
    <MenuItem
      text={text}
      labelElement={
        count && (
          <span className="shell-count">
            {count}
            <span className="visually-hidden"> waiting</span>
          </span>
        )
      }
      href={useHref(to)}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event) => {
        go(event as React.MouseEvent<HTMLAnchorElement>)
        onGo?.()
      }}
    />
  )
}

const OutsideItem = ({ entry: { text, to }, onGo }: NavItemProps) => (
  <MenuItem
    text={text}
    href={to}
    target="_blank"
    rel="noopener"
    onClick={onGo}
    labelElement={<ShareIcon size={12} title="opens in a new tab" />}
  />
)

type NavDrawerProps = {
  navigation: Navigation
  username: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** The menus of the bar on a narrow screen (shell 6); `children` are the items of the account. */
export const NavDrawer = ({ navigation, username, isOpen, onClose, children }: NavDrawerProps) => {
  const items = [...navigation.left, ...navigation.right]
  return (
    <Drawer
      isOpen={isOpen}
      onClose={onClose}
      position="left"
      size="min(300px, 86vw)"
      title={portalName}
      transitionDuration={120}
      className="shell-drawer"
    >
      <nav aria-label="Main" className="shell-drawer-body">
        <Menu aria-label={portalName} onKeyDown={handleMenuKey}>
          <NavItem entry={{ text: 'Home', to: '/' }} onGo={onClose} />
          <NavItems items={items} onGo={onClose} />
          <Heading>Welcome, {username}</Heading>
          {children}
        </Menu>
      </nav>
    </Drawer>
  )
}

/** Entries and groups below each other; a group has its title above, and a line below its last entry. */
export const NavItems = ({ items, onGo }: { items: Navigation['left']; onGo?: () => void }) =>
  items.map((item, at) =>
    isGroup(item) ? (
      <Fragment key={item.title}>
        <Heading>{item.title}</Heading>
        {item.entries.map((entry) => (
          <NavItem key={entry.to} entry={entry} onGo={onGo} />
        ))}
      </Fragment>
    ) : (
      <Fragment key={item.to}>
        {at > 0 && isGroup(items[at - 1]!) && <MenuDivider />}
        <NavItem entry={item} onGo={onGo} />
      </Fragment>
    ),
  )

const Heading = ({ children }: { children: ReactNode }) => (
  <li role="none" className="shell-drawer-heading">
    {children}
  </li>
)
