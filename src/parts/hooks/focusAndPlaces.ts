import { keepFocus } from './keptFocus.ts'
import { keepPlaces } from './keptPlaces.ts'

/** Both, which the shell fetches together. Returns a function that ends them. */
export const keepFocusAndPlaces = (): (() => void) => {
  const ends = [keepFocus(), keepPlaces()]
  return () => ends.forEach((end) => end())
}
