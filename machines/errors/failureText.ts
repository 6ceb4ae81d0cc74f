/** What a dialog says of a call that failed: the sentence of the answer, or that none came (session 2). */
export const failureText = (error: unknown): string =>
  error instanceof Error ? error.message : 'The portal cannot be reached. Please try again.'
