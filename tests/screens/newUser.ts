import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'

/**
 * Somebody with a keyboard and a pointer, without pauses between the keys. Whether an element takes clicks is
 * not asked of the styles around it: tests load no style sheets.
 */
export const newUser = (options: Parameters<typeof userEvent.setup>[0] = {}) =>
  userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never, ...options })
