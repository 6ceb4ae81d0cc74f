import { MenuDivider, MenuItem } from '@blueprintjs/core'
import { DesktopIcon, KeyIcon, LogOutIcon, TickIcon } from '@blueprintjs/icons'
import { chooseTheme, themes, useTheme, type Theme } from '../../parts/theme.ts'

type Props = { onChangePassword: () => void; onSessions: () => void; onLogout: () => void; onGo?: () => void }

const names: Record<Theme, string> = { auto: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' }

/** The items of the dropdown 'Welcome, {username}' (shell 5). */
export const AccountItems = ({ onChangePassword, onSessions, onLogout, onGo }: Props) => {
  const theme = useTheme()
  return (
    <>
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
          icon={name === theme ? <TickIcon /> : <span className="shell-no-icon" />}
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
