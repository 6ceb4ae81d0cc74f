import type { PortalSettings } from '../../../schemas/api/home.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { Menu, Screen } from '../screenTable.tsx'

export type MenuEntry = { text: string; to: string; isExternal?: true }
export type MenuGroup = { title: string; entries: readonly MenuEntry[] }
/** What the bar shows, left and right, in the order of the specification, section 2. */
export type Navigation = { left: readonly (MenuEntry | MenuGroup)[]; right: readonly MenuEntry[] }

export const isGroup = (item: MenuEntry | MenuGroup): item is MenuGroup => 'entries' in item

/** The screens this viewer may see, where their row puts them, and the configured sites beside them. */
export const navigationOf = (
  screens: readonly Screen[],
  viewer: Viewer,
  settings: PortalSettings | null,
): Navigation => {
  const at = (menu: Menu): MenuEntry[] =>
    screens
      .filter((screen) => screen.menu === menu && screen.allow(viewer))
      .map(({ title, menuText, path }) => ({ text: menuText ?? title, to: path }))
  const links = [...(settings?.links ?? [])]
    .sort((a, b) => a.title.localeCompare(b.title))
    .flatMap(({ title, link }) => outside(title, link))
  const groups: Record<'manage' | 'imports' | 'links', MenuGroup> = {
    manage: { title: 'Manage', entries: at('manage') },
    imports: { title: 'Imports', entries: at('imports') },
    links: { title: 'Links', entries: links },
  }
  const left = [
    groups.manage,
    groups.imports,
    ...at('bar'),
    groups.links,
    ...outside('Store', settings?.store ?? null),
    ...outside('Training', settings?.training ?? null),
  ]
  return { left: left.filter((item) => !isGroup(item) || item.entries.length > 0), right: at('side') }
}

/** Another site, if its address is one a browser may open. */
const outside = (text: string, link: string | null): MenuEntry[] =>
  link !== null && /^https?:\/\//i.test(link) ? [{ text, to: link, isExternal: true }] : []
