import type * as Suite from '@rjsf/snapshot-tests'
import * as runner from 'vitest'
import { ThemedForm } from '../../../src/forms/theme.ts'

// The published suite for themes of the form library. It expects its runner's words to be global, and asks for a mock
// of a package which only hides test ids; these come in a fixed order, so they may stay.
const { describe, test, expect, beforeAll, afterAll, beforeEach, afterEach, vi } = runner
const words = {
  describe,
  test,
  expect,
  beforeAll,
  afterAll,
  beforeEach,
  afterEach,
  vi: { ...vi, mock: () => {} },
}
Object.assign(globalThis, words)
const { arrayTests, formTests, objectTests }: typeof Suite = await import('@rjsf/snapshot-tests')
afterAll(() => Object.keys(words).forEach((word) => Reflect.deleteProperty(globalThis, word)))

describe('the theme draws every form', () => formTests(ThemedForm))
describe('the theme draws every list', () => arrayTests(ThemedForm))
describe('the theme draws every record', () => objectTests(ThemedForm))
