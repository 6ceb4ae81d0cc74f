import { expect, test } from 'vitest'
import viteConfig from '../../vite.config.ts'
import { needsBrowser } from '../chromium.mjs'

const projects: Record<string, boolean> = {
  node: false,
  kills: false,
  'machine-mutants': false,
  browser: true,
  'chromium-walks': true,
  walks: false,
  faults: false,
  screens: false,
}

test('every vitest project has a row that says whether it needs Chromium', () => {
  const { projects: defined = [] } = viteConfig({ mode: 'test', command: 'serve' }).test ?? {}
  const names = defined.flatMap((it) => (typeof it === 'object' && 'test' in it ? [it.test?.name] : []))
  expect(names.toSorted()).toEqual(Object.keys(projects).toSorted())
})

test.each<[string[], boolean]>([
  ...Object.entries(projects).flatMap(([name, isNeeded]): [string[], boolean][] => [
    [['--project', name], isNeeded],
    [[`--project=${name}`, '--maxWorkers=1'], isNeeded],
  ]),
  [['--project', 'node', '--project', 'browser'], true],
  [['--project', 'node', '--project=walks'], false],
  [['--project', '*walks'], true],
  [['--project', '!node'], true],
  [['--project', 'walks', 'tests/walks/'], false],
  [['--project', 'browser', 'tests/screens/app'], true],
  [[], true],
  [['--maxWorkers=1'], true],
  [['tests/server/'], false],
  [['tests/server/', 'tests/browser/'], true],
  [['tests/walks/screens/'], false],
  [['tests/walks/chromium/'], true],
  [['tests/walks'], true],
  [['tests/walks/'], true],
  [['widget'], true],
])('npm test with %j needs Chromium: %s', (args, isNeeded) => expect(needsBrowser(args)).toBe(isNeeded))
