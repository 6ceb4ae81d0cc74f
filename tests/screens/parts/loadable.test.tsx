import { Component, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadable } from '../../../src/parts/loadable.tsx'
import { untilDrawn } from '../../setup/untilDrawn.ts'

type Props = { name: string }
/** A promise of code that the test keeps or breaks. */
const delivery = () => {
  let settle!: { resolve: (code: typeof Greeting) => void; reject: (error: Error) => void }
  const promise = new Promise<typeof Greeting>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}
const Greeting = ({ name }: Props) => <p>Hello {name}</p>

class Boundary extends Component<{ children: ReactNode }, { fault: string | null }> {
  override state = { fault: null }
  static getDerivedStateFromError = (error: Error) => ({ fault: error.message })
  override render = () => this.state.fault ?? this.props.children
}

let place: HTMLElement
let root: ReturnType<typeof createRoot>
/** Draws as in a browser: `act` of the tests ends every waiting of React. */
const show = async (node: ReactNode) => {
  root.render(<Boundary key={Math.random()}>{node}</Boundary>)
  await untilDrawn()
  return place.textContent
}
const env = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }
let before: boolean | undefined
beforeEach(() => {
  before = env.IS_REACT_ACT_ENVIRONMENT
  env.IS_REACT_ACT_ENVIRONMENT = false
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place, { onCaughtError: () => {} })
})
afterEach(async () => {
  root.unmount()
  await untilDrawn()
  place.remove()
  env.IS_REACT_ACT_ENVIRONMENT = before
})

test('code that comes right after its waiting is drawn at once, without the 300 ms that React keeps a fallback', async () => {
  const { promise, resolve } = delivery()
  const Loaded = loadable<Props>(() => promise, <i>Loading</i>)
  expect(await show(<Loaded name="Ann" />)).toBe('Loading')
  resolve(Greeting)
  await promise
  await untilDrawn()
  expect(place.textContent).toBe('Hello Ann')
})

test('code that is there is drawn without waiting, and fetched once', async () => {
  let fetched = 0
  const Loaded = loadable(
    async () => {
      fetched += 1
      return Greeting
    },
    <i>Loading</i>,
  )
  await show(<Loaded name="Ann" />)
  const seen: string[] = []
  const watching = new MutationObserver(() => seen.push(place.textContent))
  watching.observe(place, { childList: true, subtree: true })
  await show(<Loaded name="Bob" />)
  watching.disconnect()
  expect(new Set(seen)).toEqual(new Set(['Hello Bob']))
  expect(fetched).toBe(1)
})

test('code that cannot be fetched is a fault of the screen, and is fetched again when it is drawn anew', async () => {
  let fetched = 0
  const Loaded = loadable<Props>(async () => {
    fetched += 1
    if (fetched === 1) throw new Error('the file is gone')
    return Greeting
  })
  await show(<Loaded name="Ann" />)
  expect(place.textContent).toBe('the file is gone')
  await show(<Loaded name="Ann" />)
  expect(place.textContent).toBe('Hello Ann')
})

test('code that comes when it is no longer wanted draws nothing', async () => {
  const { promise, reject } = delivery()
  const Loaded = loadable<Props>(() => promise, <i>Loading</i>)
  await show(<Loaded name="Ann" />)
  await show(<b>Another screen</b>)
  reject(new Error('the file is gone'))
  await promise.catch(() => {})
  await untilDrawn()
  expect(place.textContent).toBe('Another screen')
})
