import { Button, Navbar } from '@blueprintjs/core'
import { MenuIcon, UserIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { portalName } from '../../../../schemas/constants.ts'
import { iconImage, useMediaQuery } from '../../../parts/browser.ts'
import { loadable } from '../../../parts/loadable.tsx'
import { FindButton } from './FindButton.tsx'
import { useFittingCount } from './fitting.ts'
import { MenuButton } from './MenuButton.tsx'
import { isGroup, titleOf, type MenuEntry, type MenuGroup, type Navigation } from './navigation.ts'
import { NavItem, NavItems } from './NavItems.tsx'

/** Drawn once the menu was opened: code that cannot be fetched takes away what draws it. Fetched before. */
const NavDrawer = loadable(async () => (await import('./NavDrawer.tsx')).NavDrawer)

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

/** From so many pixels on Find has its word and key. */
const widthOfLongFind = 1600

/** All texts of the bar: its widths are measured again when one changes. */
const textsOf = ({ navigation: { left, right }, username }: Props) =>
  [...[...left, ...right].map(titleOf), username].join('|')

const Brand = ({ navigation }: Pick<Props, 'navigation'>) => (
  <Link to={navigation.home} className="shell-brand">
    <img src={iconImage} alt="" width="24" height="24" />
    {portalName}
  </Link>
)

/** Its items from the left as far as they fit, the others under More (shell 6). */
const WideBar = ({ onWidth, ...props }: Props & { onWidth: (pixels: number) => void }) => {
  const { navigation, username, account } = props
  const left = useRef<HTMLDivElement>(null)
  const nav = useRef<HTMLElement>(null)
  const right = useRef<HTMLDivElement>(null)
  const { left: items } = navigation
  // Its width is part of what is measured.
  const isCompact = useMediaQuery(`(max-width: ${widthOfLongFind - 0.02}px)`)
  const fitting = useFittingCount({ left, nav, right }, `${textsOf(props)}|${isCompact}`, onWidth)
  const shown = fitting ?? items.length
  return (
    <>
      <div ref={left} className="shell-left">
        <Brand navigation={navigation} />
        <nav ref={nav} aria-label="Main" className="shell-nav">
          {items.slice(0, shown).map((item) => (
            <BarItem key={titleOf(item)} item={item} />
          ))}
          {(fitting === null || shown < items.length) && <BarGroup title="More" items={items.slice(shown)} />}
        </nav>
      </div>
      <div ref={right} className="shell-right">
        <FindButton isCompact={isCompact} />
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

const BarItem = ({ item }: { item: MenuEntry | MenuGroup }) =>
  isGroup(item) ? <BarGroup title={item.title} items={item.entries} /> : <BarLink entry={item} />

/** A dropdown of entries and groups, marked while it holds the screen that is shown. */
const BarGroup = ({ title, items }: { title: string; items: readonly (MenuEntry | MenuGroup)[] }) => {
  const { pathname } = useLocation()
  const entries = items.flatMap((item) => (isGroup(item) ? item.entries : [item]))
  return (
    <MenuButton
      text={title}
      count={entries.reduce((sum, { count = 0 }) => sum + count, 0)}
      active={entries.some(({ to }) => to === pathname)}
    >
      <NavItems items={items} />
    </MenuButton>
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
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const close = () => setOpen(false)
  useEffect(() => void NavDrawer.preload(), [])
  return (
    <>
      <div className="shell-left">
        <Button
          id={accountButtonId}
          variant="minimal"
          icon={<MenuIcon />}
          aria-label="Menu"
          aria-expanded={isOpen === true}
          onClick={() => setOpen(true)}
        />
        <Brand navigation={navigation} />
        {isOpen !== null && (
          <NavDrawer navigation={navigation} username={username} isOpen={isOpen} onClose={close}>
            {account(close)}
          </NavDrawer>
        )}
      </div>
      <div className="shell-right">
        <FindButton isCompact />
      </div>
    </>
  )
}
