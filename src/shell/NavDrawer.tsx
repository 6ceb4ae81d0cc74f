import { Drawer, Menu, MenuDivider } from '@blueprintjs/core'
import { Fragment, type ReactNode } from 'react'
import { portalName } from '../../schemas/constants.ts'
import { isGroup, type Navigation } from './navigation.ts'
import { NavItem } from './NavItem.tsx'

type Props = { navigation: Navigation; username: string; isOpen: boolean; onClose: () => void; children: ReactNode }

/** The menus of the bar on a narrow screen; `children` are the account's items. */
export const NavDrawer = ({ navigation, username, isOpen, onClose, children }: Props) => (
  <Drawer isOpen={isOpen} onClose={onClose} position="left" size="min(300px, 86vw)" title={portalName} transitionDuration={120} className="shell-drawer">
    <nav aria-label="Main" className="shell-drawer-body">
      <Menu>
        <NavItem entry={{ text: 'Home', to: '/' }} onGo={onClose} />
        {[...navigation.left, ...navigation.right].map((item) =>
          isGroup(item) ? (
            <Fragment key={item.title}>
              <MenuDivider title={item.title} />
              {item.entries.map((entry) => (
                <NavItem key={entry.to} entry={entry} onGo={onClose} />
              ))}
              <MenuDivider />
            </Fragment>
          ) : (
            <NavItem key={item.to} entry={item} onGo={onClose} />
          ),
        )}
        <MenuDivider title={`Welcome, ${username}`} />
        {children}
      </Menu>
    </nav>
  </Drawer>
)
