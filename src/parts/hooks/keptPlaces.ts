/** Where the page was when a link was followed. */
type Place = {
  href: string
  /** Which of the links with this address, in the order of the page; -1 for a link around the screen. */
  at: number
  top: number
  /** Which of the tables that scroll held the link, else the first, and how far it was scrolled. */
  box: { at: number; top: number; left: number } | null
  /** What could be closed and held the link, by its id, else its heading; the innermost first. */
  opened: readonly string[]
}

const linksTo = (href: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(':is(#main, .bp6-dialog) a[href]')].filter(
    (link) => link.getAttribute('href') === href,
  )
const boxes = () => [...document.querySelectorAll('.table-scroll')]

const summaryOf = (details: Element) => details.querySelector('summary')
const detailsKey = (details: Element) => details.id || (summaryOf(details)?.textContent ?? '')
const detailsAround = (link: Element): string[] => {
  const around = link.closest('details')
  return around ? [detailsKey(around), ...detailsAround(around.parentElement!)] : []
}
/** Opens them; answers the heading of the innermost that is there. */
const openAgain = (keys: readonly string[]): HTMLElement | null => {
  const all = [...document.querySelectorAll('details')]
  const wanted = keys.flatMap((key) => all.find((it) => detailsKey(it) === key) ?? [])
  for (const details of wanted) details.open = true
  return wanted[0] ? summaryOf(wanted[0]) : null
}

const placeOf = (link: HTMLElement): Place => {
  const href = link.getAttribute('href')!
  const box = link.closest('.table-scroll') ?? boxes()[0] ?? null
  return {
    href,
    at: linksTo(href).indexOf(link),
    top: window.scrollY,
    box: box && { at: boxes().indexOf(box), top: box.scrollTop, left: box.scrollLeft },
    opened: detailsAround(link),
  }
}

/** The key of the entry of the history, as the router writes it; that of the first entry has none. */
const entryKey = () => (window.history.state as { key?: string } | null)?.key ?? ''

/**
 * Scrolls to the place and focuses its link, or the heading under which it stood. True once the link has kept
 * the focus since it was tried before: a dialog that opens gives the focus to its first field.
 */
function show({ href, at, top, box, opened }: Place): boolean {
  if (document.querySelector('#main [aria-busy=true]')) return false
  const heading = openAgain(opened)
  const table = box === null ? undefined : boxes()[box.at]
  // A long table draws only the visible rows.
  if (box) table?.scrollTo(box)
  window.scrollTo(0, top)
  if (at < 0) return window.scrollY >= top && (box === null || (table?.scrollTop ?? 0) >= box.top)
  const links = linksTo(href)
  const link = links[at] ?? links[0]
  if (link && link === document.activeElement) return true
  ;(link ?? heading)?.focus({ preventScroll: true })
  return false
}

/**
 * After Back or Forward the page is scrolled to where it was when a link of it was followed, and that link
 * has the focus (everywhere 5), once what the screen loads is there and unless the person did something
 * meanwhile. The screen itself begins at its top and takes the focus before that, within two frames. Returns
 * a function that ends this.
 */
export const keepPlaces = (): (() => void) => {
  const places = new Map<string, Place>()
  let wanted: Place | null = null
  let frame = 0
  const remember = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLElement>('a[href]') : null
    if (link) places.set(entryKey(), placeOf(link))
  }
  const tryLater = () => {
    if (!wanted) return
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (!wanted) return
        const held = document.activeElement
        if (show(wanted)) wanted = null
        else if (document.activeElement !== held) tryLater()
      })
    })
  }
  const arrive = () => {
    wanted = places.get(entryKey()) ?? null
    tryLater()
  }
  const giveUp = () => {
    wanted = null
  }
  const observer = new MutationObserver(tryLater)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-busy'] })
  const acts = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const
  for (const act of acts) document.addEventListener(act, giveUp, { capture: true, passive: true })
  document.addEventListener('click', remember, true)
  window.addEventListener('popstate', arrive)
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    for (const act of acts) document.removeEventListener(act, giveUp, true)
    document.removeEventListener('click', remember, true)
    window.removeEventListener('popstate', arrive)
  }
}
