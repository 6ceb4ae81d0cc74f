/**
 * Browsers by what their user agents hold, the more special first: nearly all of them name Chrome and
 * Safari.
 */
const browsers: readonly [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bSafari\//],
]
/** Systems in the same way: Android is a Linux, and an iPhone says that it is like Mac OS X. */
const systems: readonly [name: string, mark: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Browser and system of a User-Agent header in words (session 13): 'Firefox on Windows'. */
export function describeDevice(userAgent: string): string {
  const find = (among: typeof browsers) => among.find(([, mark]) => mark.test(userAgent))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (!browser && !system) return 'Unknown device'
  return system ? `${browser ?? 'Unknown browser'} on ${system}` : browser!
}
