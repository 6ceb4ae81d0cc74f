/**
 * Calls that were answered 428 wait here while the person reads the terms, and go out again once they are accepted:
 * so the pending screen is reloaded and nothing typed is lost (D4).
 */
export const createWaitingRoom = () => {
  const waiting = new Set<(again: boolean) => void>()
  return {
    /** True when the call is to be sent again; false when the person left or the call was cancelled. */
    wait: (signal?: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        if (signal?.aborted) return resolve(false)
        const leave = (again: boolean) => {
          waiting.delete(leave)
          signal?.removeEventListener('abort', cancel)
          resolve(again)
        }
        const cancel = () => leave(false)
        signal?.addEventListener('abort', cancel)
        waiting.add(leave)
      }),
    empty: (again: boolean) => {
      for (const leave of waiting) leave(again)
    },
  }
}
