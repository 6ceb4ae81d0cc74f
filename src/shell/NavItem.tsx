import { MenuItem } from '@blueprintjs/core'
import { ShareIcon } from '@blueprintjs/icons'
import { useHref, useLinkClickHandler, useMatch } from 'react-router-dom'
import type { Entry } from './navigation.ts'

type Props = { entry: Entry; onGo?: () => void }

/** One line of a menu: a real link, so that it opens in a new tab as any link does. */
export const NavItem = ({ entry, onGo }: Props) =>
  entry.isExternal ? <OutsideItem entry={entry} onGo={onGo} /> : <ScreenItem entry={entry} onGo={onGo} />

const ScreenItem = ({ entry: { text, to }, onGo }: Props) => {
  const go = useLinkClickHandler<HTMLAnchorElement>(to)
  const isHere = useMatch({ path: to, end: to === '/' }) !== null
  return (
    <MenuItem
      text={text}
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

const OutsideItem = ({ entry: { text, to }, onGo }: Props) => (
  <MenuItem text={text} href={to} target="_blank" rel="noopener" onClick={onGo} labelElement={<ShareIcon size={12} title="opens in a new tab" />} />
)
