import { MenuDivider, MenuItem } from '@blueprintjs/core'
import { ShareIcon } from '@blueprintjs/icons'
import { Fragment, type ReactNode } from 'react'
import { useHref, useLinkClickHandler, useMatch } from 'react-router-dom'
import { isGroup, type MenuEntry, type Navigation } from './navigation.ts'

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

export const Heading = ({ children }: { children: ReactNode }) => (
  <li role="none" className="shell-drawer-heading">
    {children}
  </li>
)
