/** Makes one thing for each object it is asked for, and answers the same one ever after. */
export const once = <It extends object, Made>(make: (it: It) => Made) => {
  const made = new WeakMap<It, Made>()
  return (it: It): Made => {
    const known = made.get(it)
    if (known) return known
    const fresh = make(it)
    made.set(it, fresh)
    return fresh
  }
}
