/** A property of what a call threw, such as its status; undefined where it has none. */
export const errorProperty = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined
