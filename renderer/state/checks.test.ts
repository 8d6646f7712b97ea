import { describe, expect, it } from 'vitest'
import type { CheckView, FolderChecks } from '../../shared/review.ts'
import { goalFacts, session, stopMessage } from '../testing/views.ts'
import { checksOf, withChecks } from './checks.ts'

const check = (name: string): CheckView => ({
  name,
  argv: ['npm', name],
  timeoutSeconds: 60,
  from: 'file',
  approval: 'approved',
  approvedAt: 1,
  approvedArgv: null,
  changedFiles: [],
  running: false,
  last: null,
})
const folder = (...names: string[]): FolderChecks => ({ folder: '/a', checks: names.map(check), problem: null })
const telling = (checks: FolderChecks | null) =>
  session({ id: 'a', stopMessage: stopMessage({ goal: goalFacts({ checks }) }) })

describe('checks of a session', () => {
  it('are what the engine told until they are read from here', () => {
    expect(checksOf(new Map(), telling(null))).toBeNull()
    expect(checksOf(new Map(), telling(folder('one')))).toEqual(folder('one'))
  })

  it('are what was read, until the engine tells something else', () => {
    const read = withChecks(new Map(), telling(folder('one')), 'a', folder('one', 'two'))
    expect(checksOf(read, telling(folder('one')))).toEqual(folder('one', 'two'))
    expect(checksOf(read, telling(folder('three')))).toEqual(folder('three'))
    expect(checksOf(read, session({ id: 'b' }))).toBeNull()
  })

  it('stay when nothing is armed any more', () => {
    const read = withChecks(new Map(), telling(folder('one')), 'a', folder('two'))
    expect(checksOf(read, session({ id: 'a' }))).toEqual(folder('two'))
  })
})
