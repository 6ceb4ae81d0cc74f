import { Drawer, Menu } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { portalName } from '../../../../schemas/constants.ts'
import { handleMenuKey } from '../../../parts/menu/menuKeys.ts'
import type { Navigation } from './navigation.ts'
import { Heading, NavItem, NavItems } from './NavItems.tsx'

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
