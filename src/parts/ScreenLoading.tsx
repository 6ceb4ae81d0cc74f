/** The moment before a screen's files are there; a quick one shows nothing. */
export const ScreenLoading = () => (
  <p className="plain-opening" role="status">
    Loading
  </p>
)
