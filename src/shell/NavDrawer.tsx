import { Drawer, Menu, MenuDivider } from '@blueprintjs/core'
import { Fragment, type ReactNode } from 'react'
import { portalName } from '../../schemas/constants.ts'
import { moveByKey } from './menuKeys.ts'
import { isGroup, type Navigation } from './navigation.ts'
import { NavItem } from './NavItem.tsx'

type Props = { navigation: Navigation; username: string; isOpen: boolean; onClose: () => void; children: ReactNode }

/** The menus of the bar on a narrow screen; `children` are the account's items. */
export const NavDrawer = ({ navigation, username, isOpen, onClose, children }: Props) => {
  const items = [...navigation.left, ...navigation.right]
  return (
    <Drawer isOpen={isOpen} onClose={onClose} position="left" size="min(300px, 86vw)" title={portalName} transitionDuration={120} className="shell-drawer">
      <nav aria-label="Main" className="shell-drawer-body">
        <Menu aria-label={portalName} onKeyDown={moveByKey}>
          <NavItem entry={{ text: 'Home', to: '/' }} onGo={onClose} />
          {items.map((item, at) =>
            isGroup(item) ? (
              <Fragment key={item.title}>
                <Heading>{item.title}</Heading>
                {item.entries.map((entry) => (
                  <NavItem key={entry.to} entry={entry} onGo={onClose} />
                ))}
              </Fragment>
            ) : (
              <Fragment key={item.to}>
                {isGroup(items[at - 1] ?? item) && <MenuDivider />}
                <NavItem entry={item} onGo={onClose} />
              </Fragment>
            ),
          )}
          <Heading>Welcome, {username}</Heading>
          {children}
        </Menu>
      </nav>
    </Drawer>
  )
}

const Heading = ({ children }: { children: ReactNode }) => (
  <li role="none" className="shell-drawer-heading">
    {children}
  </li>
)
