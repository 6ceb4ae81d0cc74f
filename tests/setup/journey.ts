import '@testing-library/jest-dom/vitest'
import { configure } from '@testing-library/dom'
import { waitWhileChanging } from '../journeys/adapter.ts'
import './briefErrors.ts'
import { untilDrawn } from './untilDrawn.ts'

// After each thing a person does, what it led to is drawn: the testing library of React waits so too, which
// needs its development build.
configure({
  asyncWrapper: async (act) => {
    const result = await waitWhileChanging(act)
    await untilDrawn()
    return result
  },
})
