import { useRouteError } from 'react-router-dom'

/** Shown if a screen throws, or if its files are gone because the portal was updated meanwhile (shell 11). */
export const RouteError = () => {
  const error = useRouteError()
  return (
    <section className="plain-note" role="alert">
      <h1>This screen could not be shown</h1>
      <p>The portal may have been updated meanwhile, or the connection was lost. Reloading usually helps.</p>
      <p className="plain-detail">
        {error instanceof Error ? error.message : 'No further details are known.'}
      </p>
      <p className="plain-actions">
        <button type="button" className="plain-button plain-primary" onClick={() => window.location.reload()}>
          Reload
        </button>
        <a className="plain-button" href="/">
          Home
        </a>
      </p>
    </section>
  )
}
