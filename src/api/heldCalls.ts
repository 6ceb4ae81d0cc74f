/**
 * Calls that were answered 428 wait here while the terms dialog is open. Once the terms are accepted they are
 * sent again, so that nothing typed is lost (session 8).
 */
export const createHeldCalls = () => {
  const held = new Set<(retry: boolean) => void>()
  return {
    /**
     * Resolves when the call may be sent again (true), or when it was cancelled or the user signed out
     * (false).
     */
    hold: (signal?: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        if (signal?.aborted) return resolve(false)
        const settle = (retry: boolean) => {
          held.delete(settle)
          signal?.removeEventListener('abort', cancel)
          resolve(retry)
        }
        const cancel = () => settle(false)
        signal?.addEventListener('abort', cancel)
        held.add(settle)
      }),
    /** Lets all waiting calls be sent again. */
    resend: () => {
      for (const settle of held) settle(true)
    },
    /** Drops all waiting calls. */
    drop: () => {
      for (const settle of held) settle(false)
    },
  }
}
