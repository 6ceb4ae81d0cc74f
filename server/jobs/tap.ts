/** Yields items as they come, each once `see` has seen it; what `see` throws ends them. */
export async function* tap<T>(
  items: AsyncIterable<T>,
  see: (item: T) => Promise<void> | void,
): AsyncGenerator<T> {
  for await (const item of items) {
    await see(item)
    yield item
  }
}
