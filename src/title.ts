import { useEffect } from 'react'
import { portalName } from '../schemas/constants.ts'

/** What the browser shows on its tab. */
export const useTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - ${portalName}`
  }, [title])
