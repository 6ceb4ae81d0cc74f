/** What the Tab key reaches. */
const reachable =
  ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled, [type=hidden], [type=file])'
/** Where one of the others takes the place of an item that is removed. */
const listed = ':is(ul, tbody, fieldset)'
const dialogs = '.bp6-dialog'
/** Within these the focus is kept. */
const kept = `${dialogs}, #main`

/** What had the focus last, with its ancestors up to the screen or dialog and its place in each. */
type Place = { root: Element; holder: Element; name: string; steps: readonly Step[] }
type Step = { parent: Element; at: number }
/** What had the focus when it went into a dialog; `before`, what had it when it went into the one before. */
type Below = { place: Place; dialog: Element; before: Below | null }

const nameOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent ?? ''

const placeOf = (holder: Element, root: Element): Place => {
  const steps: { parent: Element; at: number }[] = []
  for (let child = holder; child !== root; child = child.parentElement!)
    steps.push({ parent: child.parentElement!, at: [...child.parentElement!.children].indexOf(child) })
  return { root, holder, name: nameOf(holder), steps }
}

/**
 * The control of the same kind as the one that was there in what stands at this place of a list now, else in
 * the nearest item that has one; where none has, the first control of any kind.
 */
const controlAt = ({ parent, at }: Step, { tagName }: Element): HTMLElement | undefined => {
  const items = [...parent.children]
  const controls = [...items.slice(at), ...items.slice(0, at).reverse()]
    .flatMap((item) => [item, ...item.querySelectorAll('*')])
    .filter((it) => it.matches(reachable)) as HTMLElement[]
  return controls.find((it) => it.tagName === tagName) ?? controls[0]
}

/** Where in its list the control was, if it does something else by now and its item has moved. */
const placeLeft = ({ holder, name, steps }: Place): Step | undefined =>
  nameOf(holder) === name
    ? undefined
    : steps.find(({ parent, at }) => parent.matches(listed) && !parent.children[at]?.contains(holder))

const successorOf = ({ holder, steps }: Place): HTMLElement | null => {
  const [around, above] = steps.filter(({ parent }) => parent.isConnected)
  if (!around) return null
  const { parent } = around
  const list = [around, above].find((it) => it?.parent.matches(listed))
  return (
    (list && controlAt(list, holder)) ??
    parent.closest('.table-frame')?.querySelector<HTMLElement>('[tabindex="0"]') ??
    parent.closest<HTMLElement>('[tabindex]')
  )
}

/** What had the focus, where it can have it again, what takes its place, or that of the dialog before. */
const holderOf = ({ place, before }: Below): HTMLElement | null =>
  place.holder.isConnected && place.holder.matches(reachable)
    ? (place.holder as HTMLElement)
    : (successorOf(place) ?? (before && holderOf(before)))

/**
 * When a control that has the focus is removed with what it did, a row or the button of a failure, gives the
 * focus to the control that takes its place in the list, else to the table, dialog or screen around it
 * (everywhere 5). Otherwise it would be on the body, where screen readers begin again and Escape closes no
 * dialog. The same once a dialog is closed that cannot give the focus back, because the control that had it
 * was removed while the dialog was open: the Cancel button of a call is removed when an error dialog says
 * that the call failed, and so is a question that led to the call. A screen that sets the focus itself, until
 * the frame after the next, is not overruled.
 *
 * The button that asked is often disabled or gone while the screen is read again after the answer, and the
 * screen has the focus (`useFocusBack`). As long as nobody moves it from there it goes back to the button
 * once that can have it, else to what takes its place in the list. Returns a function that ends this.
 */
export const keepFocus = (): (() => void) => {
  let place: Place | null = null
  let below: Below | null = null
  /** What asked a question that is answered, while the screen has the focus in its place. */
  let asker: Place | null = null
  let frame = 0
  const remember = ({ target }: Pick<FocusEvent, 'target'>) => {
    const root = target instanceof Element ? target.closest(kept) : null
    asker = root !== null && target === root && isClosed() && below!.place.root === root ? below!.place : null
    // What asked may be gone already, without another change of the page to follow.
    if (asker) requestAnimationFrame(giveBack)
    if (place && root && root !== place.root)
      below = !root.matches(dialogs)
        ? null
        : below?.place.root === root
          ? below.before
          : { place, dialog: root, before: below }
    place = root && target !== root ? placeOf(target as Element, root) : null
  }
  const isGone = () => place !== null && !place.holder.isConnected
  const isClosed = () => below !== null && !below.dialog.isConnected
  remember({ target: document.activeElement })
  const giveBack = () => {
    if (!asker || document.activeElement !== asker.root) return
    const { holder } = asker
    if (holder.isConnected && !holder.matches(reachable)) return
    const left = holder.isConnected ? placeLeft(asker) : undefined
    const heir = holder.isConnected ? (left ? controlAt(left, holder) : holder) : successorOf(asker)
    ;(heir as HTMLElement | null | undefined)?.focus({ preventScroll: true })
  }
  const moveFocus = () => {
    if (document.activeElement !== document.body) return
    const successor = (isGone() ? successorOf(place!) : null) ?? (isClosed() ? holderOf(below!) : null)
    if (isGone()) place = null
    if (isClosed()) below = null
    successor?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    giveBack()
    if (!isGone() && !isClosed()) return
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => (frame = requestAnimationFrame(moveFocus)))
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    document.removeEventListener('focusin', remember)
  }
}
