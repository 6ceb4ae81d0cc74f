import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedOrigin, killInRelease, type Approved } from './releaseKills.ts'

let approved: Approved
beforeAll(async () => {
  approved = await approvedOrigin()
})
afterAll(() => approved.origin.close())

test('a portal killed with -9 between any two statements of a release has stored the file and its rows, or neither', async () => {
  const { statements } = await killInRelease(approved, null)
  const ends: boolean[] = []
  for (let dieAt = 1; dieAt <= statements + 1; dieAt += 1)
    ends.push((await killInRelease(approved, dieAt)).isDone)
  // The last statement commits: only after it all is there.
  expect(ends).toEqual([...Array<boolean>(statements).fill(false), true])
}, 900_000)
