/** Where to go after sign-in: a path of this site, else '/'. The login page itself is no place to return to. */
export const safeReturn = (asked: string | null): string => {
  if (asked === null || !/^\/(?!\/)[^\\]*$/.test(asked) || hasControls(asked)) return '/'
  try {
    const url = new URL(asked, window.location.origin)
    if (url.origin !== window.location.origin) return '/'
    const path = url.pathname + url.search + url.hash
    return path.startsWith('//') || /^\/login\/?$/i.test(url.pathname) ? '/' : path
  } catch {
    return '/'
  }
}

export const loginPath = (attempted: string) => `/login?returnUrl=${encodeURIComponent(attempted)}`

/** Browsers drop tabs and line breaks from addresses, which can turn '/\t/evil' into '//evil'. */
const hasControls = (text: string) => [...text].some((letter) => letter < ' ' || letter === '\x7f')
