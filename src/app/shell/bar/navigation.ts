import type { PortalSettings } from '../../../../schemas/api/home.ts'
import { homePath, type Viewer } from '../../../../schemas/permissions.ts'
import type { Menu, Screen } from '../../screenTable.tsx'

/** `count` is how many things wait there. */
export type MenuEntry = { text: string; to: string; isExternal?: true; count?: number }
export type MenuGroup = { title: string; entries: readonly MenuEntry[] }
/** The entries of the bar, left and right, in their order (shell 3); `home` is where its name leads. */
export type Navigation = {
  home: string
  left: readonly (MenuEntry | MenuGroup)[]
  right: readonly MenuEntry[]
}

export const isGroup = (item: MenuEntry | MenuGroup): item is MenuGroup => 'entries' in item
export const titleOf = (item: MenuEntry | MenuGroup): string => (isGroup(item) ? item.title : item.text)

/** The screens this viewer may see and the configured links (shell 4); `counts` are by path. */
export const navigationOf = (
  screens: readonly Screen[],
  viewer: Viewer,
  settings: PortalSettings | null,
  counts: Readonly<Record<string, number>> = {},
): Navigation => {
  const at = (menu: Menu): MenuEntry[] =>
    screens
      .filter((screen) => screen.menu === menu && screen.allow(viewer))
      .map(({ title, menuText, path }) => ({
        text: menuText ?? title,
        to: path,
        ...(counts[path] && { count: counts[path] }),
      }))
  const links = [...(settings?.links ?? [])]
    .sort((a, b) => a.title.localeCompare(b.title))
    .flatMap(({ title, link }) => externalLink(title, link))
  const groups: Record<'manage' | 'imports' | 'links', MenuGroup> = {
    manage: { title: 'Manage', entries: at('manage') },
    imports: { title: 'Imports', entries: at('imports') },
    links: { title: 'Links', entries: links },
  }
  const left = [
    ...at('first'),
    groups.manage,
    groups.imports,
    ...at('bar'),
    groups.links,
    ...externalLink('Store', settings?.store ?? null),
    ...externalLink('Training', settings?.training ?? null),
  ]
  return {
    home: homePath(viewer),
    left: left.filter((item) => !isGroup(item) || item.entries.length > 0),
    right: at('side'),
  }
}

/** A link to another site; none if its address is not http(s). */
const externalLink = (text: string, link: string | null): MenuEntry[] =>
  link !== null && /^https?:\/\//i.test(link) ? [{ text, to: link, isExternal: true }] : []
