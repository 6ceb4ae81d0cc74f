/** The folders of Blueprint's components that the portal does not draw with, each with its classes. */
export const unusedComponents: Readonly<Record<string, readonly string[]>> = {
  alert: ['alert'],
  breadcrumbs: ['breadcrumb', 'breadcrumbs', 'breadcrumbs-collapsed'],
  card: ['card'],
  'card-list': ['card-list'],
  'control-card': ['control-card', 'switch-control-card', 'checkbox-control-card', 'radio-control-card'],
  'context-menu': ['context-menu'],
  divider: ['divider'],
  'editable-text': ['editable-text'],
  'entity-title': ['entity-title'],
  'non-ideal-state': ['non-ideal-state'],
  'overflow-list': ['overflow-list'],
  'panel-stack': ['panel-stack', 'panel-stack2'],
  section: ['section'],
  'segmented-control': ['segmented-control'],
  slider: ['slider'],
  tabs: ['tab', 'tabs'],
  'tag-input': ['tag-input'],
  toast: ['toast', 'toast-container'],
  tooltip: ['tooltip'],
  tree: ['tree', 'tree-node'],
}

/** Classes of parts of other folders that no screen draws with, like a tag of two parts. */
export const unusedParts = [
  'blockquote',
  'code',
  'compound-tag',
  'dialog-step',
  'file-input',
  'file-upload-input',
  'input-ghost',
  'key',
  'multistep-dialog',
  'numeric-input',
  'resizable-input-span',
  'running-text',
]

const unused = [...Object.values(unusedComponents).flat(), ...unusedParts]

/** What a plugin of PostCSS is given of a sheet. */
type Rule = { selectors: string[]; parent: { type: string; name?: string } | undefined; remove: () => void }
type Sheet = { source?: { input: { file?: string } }; walkRules: (visit: (rule: Rule) => void) => void }

const isUnused = (selector: string) =>
  [...selector.matchAll(/\.bp6-([a-z0-9-]+)/g)].some(([, name = '']) =>
    unused.some((it) => name === it || name.startsWith(`${it}-`)),
  )

/**
 * A plugin of PostCSS that leaves out Blueprint's rules of components which the portal does not draw with: a
 * quarter of its sheet. tests/build/styles.test.ts fails when one of them is drawn with.
 */
export const blueprintStyles = () => ({
  postcssPlugin: 'blueprint-styles',
  Once(sheet: Sheet) {
    if (!sheet.source?.input.file?.includes('@blueprintjs')) return
    sheet.walkRules((rule) => {
      if (rule.parent?.type === 'atrule' && rule.parent.name?.includes('keyframes')) return
      const kept = rule.selectors.filter((selector) => !isUnused(selector))
      if (kept.length === 0) rule.remove()
      else if (kept.length < rule.selectors.length) rule.selectors = kept
    })
  },
})
