/** What browsers have and happy-dom lacks. */
class Unmoving {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= Unmoving as unknown as typeof ResizeObserver
globalThis.IntersectionObserver ??= Unmoving as unknown as typeof IntersectionObserver
Element.prototype.scrollIntoView ??= () => {}
