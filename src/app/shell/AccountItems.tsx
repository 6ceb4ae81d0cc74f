import { MenuDivider, MenuItem } from '@blueprintjs/core'
import { DesktopIcon, KeyIcon, LogOutIcon, TickIcon } from '@blueprintjs/icons'
import { openAnywhere } from '../../parts/anywhere.ts'
import { chooseTheme, themes, useTheme, type Theme } from '../../parts/theme.ts'

type Props = { onChangePassword: () => void; onSessions: () => void; onLogout: () => void; onGo?: () => void }

const names: Record<Theme, string> = { auto: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' }

const noIcon = <span className="shell-no-icon" />
const anywhere = [
  { name: 'find', text: 'Find' },
  { name: 'keys', text: 'Keys' },
  { name: 'help', text: 'Help' },
] as const

/** The items of the dropdown 'Welcome, {username}' (shell 5). */
export const AccountItems = ({ onChangePassword, onSessions, onLogout, onGo }: Props) => {
  const theme = useTheme()
  return (
    <>
      {anywhere.map(({ text, name }) => (
        <MenuItem
          key={name}
          icon={noIcon}
          text={text}
          onClick={() => {
            onGo?.()
            openAnywhere(name === 'help' ? { name, about: '' } : { name })
          }}
        />
      ))}
      <MenuDivider />
      <MenuItem
        icon={<KeyIcon />}
        text="Change Password"
        onClick={() => {
          onGo?.()
          onChangePassword()
        }}
      />
      <MenuItem
        icon={<DesktopIcon />}
        text="Sessions"
        onClick={() => {
          onGo?.()
          onSessions()
        }}
      />
      <MenuDivider />
      {themes.map((name) => (
        <MenuItem
          key={name}
          role="menuitemradio"
          aria-checked={name === theme}
          icon={name === theme ? <TickIcon /> : noIcon}
          text={names[name]}
          shouldDismissPopover={false}
          onClick={() => chooseTheme(name)}
        />
      ))}
      <MenuDivider />
      <MenuItem icon={<LogOutIcon />} text="Logout" onClick={onLogout} />
    </>
  )
}
