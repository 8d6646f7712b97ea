import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../testing/words.ts'
import { review } from '../../testing/views.ts'
import { foundLines, foundText } from './found-line.ts'
import { reviewText, verdictOf } from './verdict.ts'

const words = wordsOf('en')
const looks = [
  { tool: 'run_check', what: 'test', ok: true, say: 'exit 1' },
  { tool: 'read_file', what: '.env', ok: false, say: 'it may hold secrets' },
  { tool: 'git_status', what: '', ok: true, say: '' },
  { tool: 'list_files', what: '', ok: true, say: '' },
] as const
const evidence = [
  { claim: 'Tests fail', source: 'check:test', result: '2 of 214' },
  { claim: 'No PR.md', source: 'git:status', result: '' },
]

describe('what a reviewer found', () => {
  it('is its evidence, else what it looked at', () => {
    expect(foundLines(review({ evidence, looks }), words).map(({ text }) => text)).toEqual([
      'Tests fail: 2 of 214',
      'No PR.md',
    ])
    expect(foundLines(review({ looks }), words).map(({ text, ok }) => [text, ok])).toEqual([
      ['Ran `test`, exit 1', true],
      ['Read `.env`, it may hold secrets', false],
      ['Asked `git status`', true],
      ['Listed files', true],
    ])
  })

  it('is copied whole', () => {
    expect(
      foundText(
        review({
          round: 4,
          outcome: { code: 'not-reached' },
          say: 'Two tests fail.',
          evidence,
          blockers: [{ kind: 'run_failed', text: 'npm test' }],
          checks: [
            { name: 'test', argv: ['npm', 'test'], outcome: 'failed', exitCode: 1, at: 0, ms: 1, say: '2 fail' },
          ],
        }),
        words,
      ).split('\n'),
    ).toEqual([
      'Reviewer round 4',
      'Not done yet',
      'Two tests fail.',
      'Tests fail: 2 of 214 (check:test)',
      'No PR.md (git:status)',
      'A run failed: npm test',
      'Check test fails: 2 fail',
    ])
  })

  it.each([
    [{ code: 'not-reached' }, 'Two tests fail.', 'needs'],
    [{ code: 'reached', checks: 2 }, 'Two tests fail.', 'done'],
    [{ code: 'reached-unchecked' }, 'Two tests fail.', 'done'],
    [{ code: 'checks-failed', names: ['test'] }, 'Not done: test fails. Two tests fail.', 'needs'],
    [{ code: 'checks-unapproved', names: ['e2e'] }, 'Seems done, but e2e may not run yet. Two tests fail.', 'needs'],
    [{ code: 'needs-user', text: 'Which bucket?' }, 'Which bucket?', 'needs'],
    [{ code: 'failed', why: 'no answer', inARow: 2 }, 'no answer', 'failed'],
    [{ code: 'discarded' }, 'Two tests fail.', 't3'],
  ] as const)('%j reads “%s”', (outcome, text, tone) => {
    expect(reviewText(review({ outcome, say: 'Two tests fail.' }), words.s)).toBe(text)
    expect(verdictOf(outcome).tone).toBe(tone)
  })
})
