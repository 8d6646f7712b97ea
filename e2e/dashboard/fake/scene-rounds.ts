/** The rounds of billing-service, newest first. For development and tests only. */
import type { ReviewView, RoundView } from '../../../shared/review.ts'
import { sceneFollowup } from './scene-timeline.ts'
import { sceneReview } from './scene-goals.ts'

const MINUTE = 60_000

interface SceneRound {
  did: string
  found: string
  sent: string
  calls: readonly [string, number][]
}

const written: readonly SceneRound[] = [
  {
    did: 'I rewrote refundLine() to round each line to the nearest cent. 212 of 214 tests pass now.',
    found: 'Two refund tests fail on half cents, and there is no PR description yet.',
    sent: sceneFollowup,
    calls: [
      ['Edit', 3],
      ['Read', 2],
      ['Bash', 1],
    ],
  },
  {
    did: 'The sum of an invoice is right again. Next I would look at refunds.',
    found: 'Four refund tests fail. `refundLine()` still rounds up.',
    sent: 'Rewrite refundLine() in rounding.ts so that half cents go to the even cent, then run npm test.',
    calls: [
      ['Bash', 4],
      ['Edit', 2],
    ],
  },
  {
    did: 'I split the totals out of invoice.ts into totals.ts.',
    found: 'Totals moved, and 9 tests fail on their import.',
    sent: 'Mend the imports in src/invoice/*.test.ts and run npm test.',
    calls: [
      ['Edit', 5],
      ['Read', 4],
    ],
  },
]
const generic: SceneRound = {
  did: 'I looked at the next failing test.',
  found: 'Tests still fail.',
  sent: 'Go on with the next failing test and run npm test.',
  calls: [
    ['Read', 2],
    ['Bash', 1],
  ],
}
const nothing: SceneRound = {
  did: 'Everything is done as far as I can see.',
  found: 'Nothing was changed, and tests still fail.',
  sent: 'Open the first failing test, change the code it tests, and run npm test.',
  calls: [],
}

export function sceneRounds(now: number): RoundView[] {
  return Array.from({ length: 12 }, (_, i): RoundView => {
    const n = 12 - i
    const stuck = n === 6 || n === 9
    const { did, found, sent, calls } = stuck ? nothing : (written[i] ?? generic)
    const review: ReviewView =
      i === 0
        ? sceneReview(now)
        : {
            ...sceneReview(now),
            round: n,
            at: now - i * 6 * MINUTE,
            ms: 24_000 + n * 900,
            say: found,
            costUsd: 0.02,
            evidence: [{ claim: '`npm test` fails', source: 'check:test', result: `${2 + i * 2} of 214 fail` }],
          }
    // The reviewer was switched on after the first round.
    return {
      n,
      at: now - 39_000 - i * 6 * MINUTE,
      did: {
        calls: calls.reduce((sum, [, count]) => sum + count, 0),
        tools: calls.map(([name, count]) => ({ name, count })),
        text: did,
      },
      review: n === 1 ? null : review,
      sent,
      progress: i === 0 ? null : n !== 5 && n !== 8,
    }
  })
}
