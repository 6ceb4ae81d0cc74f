/**
 * In place of Blueprint's lists of its 700 icons, by which its components load an icon that is given as a
 * text: the portal gives icons as elements alone.
 */
export const BlueprintIcons_16 = {}
export const BLUEPRINT_ICONS_16_CODEPOINTS = {}
