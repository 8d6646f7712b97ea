import { describe, expect, it } from 'vitest'
import type { RoundView } from '../../shared/review.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { sampleReview, sampleRound } from './testing/sample-goal.ts'

const { against } = cliHomes()
const of = (rounds: readonly RoundView[]) => ({ rounds: async () => rounds })

describe('rounds', () => {
  it('say what the agent did, what the reviewer found with its evidence, and what was sent', async () => {
    const { code, out } = await against(of([sampleRound()]), ['rounds', 'billing'])
    expect(code).toBe(0)
    const [head, ...lines] = out.trimEnd().split('\n')
    expect(head).toMatch(/^◐ Round 12 {2}\d\d:\d\d$/)
    expect(lines.map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['Did', '3 tool calls: Edit ×2, Read'],
      ['Said', '“All tests are green now.”'],
      [
        'Reviewer',
        'Not done: tests fails. Two refund tests fail on half cents. (zai/glm-5, 38 s, 11.9k tokens, $0.02)',
      ],
      ['Evidence', 'Refunds round up: Math.round (file:rounding.ts:40-88)'],
      ['Blockers', 'run_failed: tests are red'],
      ['Ran', 'Check tests fails: 2 of 214 fail'],
      ['Sent', '“Two tests in rounding.test.ts still fail.”'],
    ])
  })
  it.each<[string, Partial<RoundView>, RegExp, string]>([
    ['one without a reviewer', { review: null }, /^◐/, 'Sent'],
    [
      'one that reached its goal',
      { review: sampleReview({ outcome: { code: 'reached', checks: 3 } }), sent: null },
      /^✓/,
      'Goal reached, 3 of 3 checks pass',
    ],
    [
      'one that nothing was checked in',
      { review: sampleReview({ outcome: { code: 'reached-unchecked' } }), sent: null },
      /^✓/,
      'Goal reached, unchecked',
    ],
    [
      'one that needs a person',
      { review: sampleReview({ outcome: { code: 'needs-user', text: 'which bank?' } }), sent: null },
      /^◆/,
      'Needs you: which bank?',
    ],
    [
      'one whose reviewer failed',
      { review: sampleReview({ outcome: { code: 'failed', why: 'no answer in 300 s', inARow: 2 } }) },
      /^▲/,
      'Failed: no answer in 300 s',
    ],
    [
      'one whose reviewer came too late',
      { review: sampleReview({ outcome: { code: 'discarded' } }), sent: null },
      /^◌/,
      'too late',
    ],
    ['one that is not answered yet', { review: null, sent: null }, /^○/, 'Did'],
    ['one that got nowhere', { did: { calls: 0, tools: [], text: '' }, progress: false }, /^◐/, 'no tool call'],
  ])('%s', async (_what, more, head, line) => {
    const { out } = await against(of([sampleRound(more)]), ['rounds', 'billing'])
    expect(out).toMatch(head)
    expect(out).toContain(line)
  })
  const many = Array.from({ length: 40 }, (_, i) => sampleRound({ n: 40 - i }))
  it.each<[string[], number]>([
    [[], 5],
    [['-n', '2'], 2],
    [['--limit', '40'], 40],
  ])('%j: newest first, at most so many', async (words, count) => {
    const { out } = await against(of(many), ['rounds', 'billing', ...words])
    expect(out.match(/Round \d+/g)).toEqual(many.slice(0, count).map(({ n }) => `Round ${n}`))
    expect(JSON.parse((await against(of(many), ['rounds', 'billing', ...words, '--json'])).out)).toEqual(
      many.slice(0, count),
    )
  })
  it.each(['0', '41', 'x', ''])('-n %j is not understood', async (limit) => {
    expect((await against(of(many), ['rounds', 'billing', '-n', limit])).code).toBe(2)
  })
  it('say how one begins when there is none', async () => {
    expect((await against(of([]), ['rounds', 'billing'])).out).toContain('onward stop-message <session> --goal')
    expect((await against(of([]), ['rounds', 'billing', '--json'])).out).toBe('[]\n')
  })
  it('speak the language of the settings', async () => {
    expect(
      (
        await against({ ...of([sampleRound()]), status: async () => sampleStatus({ language: 'zh-CN' }) }, [
          'rounds',
          'billing',
        ])
      ).out,
    ).toContain(sentencesOf('zh-CN').reviewOutcome(sampleReview().outcome))
  })
  it('end as the engine refuses', async () => {
    expect(
      await against(
        {
          rounds: async () => {
            throw new OnwardError('session-unknown', 'No session is called x.')
          },
        },
        ['rounds', 'x'],
      ),
    ).toMatchObject({ code: 5, err: 'onward: No session is called x.\n' })
  })
  it('can’t move the cursor by what an agent or a reviewer wrote', async () => {
    const nasty = '\u001b]0;owned\u0007\u001b[2J\r\ny'
    const round = sampleRound({
      did: { calls: 1, tools: [{ name: nasty, count: 1 }], text: nasty },
      sent: nasty,
      review: sampleReview({
        by: nasty,
        say: nasty,
        evidence: [{ claim: nasty, source: nasty, result: nasty }],
        blockers: [{ kind: 'needs_user', text: nasty }],
      }),
    })
    // eslint-disable-next-line no-control-regex -- that is the point
    expect((await against(of([round]), ['rounds', 'b'])).out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })
})
