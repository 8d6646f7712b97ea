import { expect, it } from 'vitest'
import { isNewer } from './newer-version.ts'

it.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '0.99.99', true],
  ['0.1.1', '0.1.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['0.2.0', '0.2.0-beta.1', true],
  ['0.2.0-beta.1', '0.2.0', false],
  ['0.2.0-beta.1', '0.1.0', true],
  ['nightly', '0.1.0', false],
  ['0.1.0', 'nightly', false],
])('%s is newer than %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer)
})
