/** Yields the items unchanged, each after `see` was called with it. An error of `see` ends the iteration. */
export async function* tap<T>(
  items: AsyncIterable<T>,
  see: (item: T) => Promise<void> | void,
): AsyncGenerator<T> {
  for await (const item of items) {
    await see(item)
    yield item
  }
}
