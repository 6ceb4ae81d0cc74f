/** Shown while the code of a screen loads. The style sheet delays it, so that a quick load shows nothing. */
export const ScreenLoading = () => (
  <p className="plain-opening" role="status">
    Loading
  </p>
)
