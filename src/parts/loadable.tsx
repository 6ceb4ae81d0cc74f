import { useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Shown while the code of a screen loads. The style sheet delays it, so that a quick load shows nothing. */
export const ScreenLoading = () => (
  <p className="plain-opening" role="status">
    Loading
  </p>
)

/**
 * A component whose code is fetched when it is first drawn; `waiting` stands in its place until then. Takes
 * the place of React's `lazy`, which shows the fallback of its Suspense boundary for 300 ms even where the
 * code comes in 5 (decision 34). A failure is thrown to the screen; when it is drawn again, it is fetched
 * again.
 */
export const loadable = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
) => {
  let loaded: ComponentType<P> | null = null
  const fetch = async () => (loaded ??= await load())
  const Loadable = (props: P): ReactNode => {
    const Component = useFetched(fetch, true, loaded)
    return Component ? <Component {...props} /> : waiting
  }
  /** Resolves once the code is there. A failure shows when it is drawn, which fetches it again. */
  const preload = async (): Promise<void> => void (await fetch().catch(() => {}))
  return Object.assign(Loadable, { preload })
}

/**
 * The result of `fetch`, and `known` until then. Calls `fetch` once `isWanted` is true, unless the value is
 * known. A failure is thrown to the screen.
 */
export const useFetched = <T,>(
  fetch: () => Promise<T>,
  isWanted = true,
  known: T | null = null,
): T | null => {
  const [fetched, setFetched] = useState({ value: known })
  const isMissing = isWanted && fetched.value === null
  // In the commit and not after the paint: what is fetched may fetch something itself.
  useLayoutEffect(() => {
    if (!isMissing) return
    let isMounted = true
    fetch().then(
      (value) => isMounted && setFetched({ value }),
      (error: unknown) =>
        isMounted &&
        setFetched(() => {
          throw error
        }),
    )
    return () => {
      isMounted = false
    }
  }, [fetch, isMissing])
  return fetched.value
}
