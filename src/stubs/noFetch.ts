/**
 * Replaces axios' fetch adapter in the build. The page uses XMLHttpRequest, which reports the progress of
 * uploads.
 */
export const getFetch = () => undefined
