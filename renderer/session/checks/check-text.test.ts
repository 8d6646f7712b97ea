import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../testing/words.ts'
import type { CheckRun } from '../../../shared/review.ts'
import { checkText } from './check-text.ts'
import { visible } from './words.ts'

const run = (outcome: CheckRun['outcome'], say = ''): CheckRun => ({
  name: 'test',
  argv: ['npm', 'test'],
  outcome,
  exitCode: 0,
  at: 5,
  ms: 1,
  say,
})

describe('what is said of a check', () => {
  it.each([
    ['approved', false, null, { shape: 'idle', text: 'not run yet', asks: null }],
    ['approved', false, run('passed', '214 pass'), { shape: 'done', text: 'passes', at: 5 }],
    [
      'approved',
      false,
      run('failed', '2 of 214 fail'),
      { shape: 'failed', text: '2 of 214 fail', tone: 'failed', at: 5 },
    ],
    ['approved', false, run('timed-out'), { shape: 'failed', text: 'took too long' }],
    ['approved', false, run('not-started', 'npm is not there'), { shape: 'failed', text: 'npm is not there' }],
    ['approved', false, run('stopped'), { shape: 'idle', text: 'was stopped' }],
    ['approved', true, run('failed'), { shape: 'working', text: 'running', asks: null }],
    ['not-approved', false, null, { shape: 'needs', text: 'may it run?', asks: 'approve' }],
    ['changed', false, run('passed'), { shape: 'needs', text: 'changed, may it run?', asks: 'approve', at: null }],
    ['removed', false, run('passed'), { shape: 'gone', text: '.onward.json no longer names it', asks: 'forget' }],
  ] as const)('%s, running %s, last %j', (approval, running, last, expected) =>
    expect(checkText({ approval, running, last }, wordsOf('en'))).toMatchObject(expected),
  )

  it('hides nothing of what a person allows', () => {
    expect(visible('npm test')).toBe('npm test')
    expect(visible('a\u202Eb\u200Bc\nd\u00A0e')).toBe('a\\u{202e}b\\u{200b}c\\u{a}d\\u{a0}e')
    expect(visible('检查 é 🙂')).toBe('检查 é 🙂')
  })
})
