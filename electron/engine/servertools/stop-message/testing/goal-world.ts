import { pause, type Clock } from '../../../base/clock.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import type { Spent } from '../../../../../shared/cost/cost.ts'
import type { FolderChecks, ReviewView } from '../../../../../shared/review.ts'
import type { BeadsState } from '../beads/bead-activity.ts'
import type { GoalDeps } from '../review/pre-send-review.ts'
import type { Review, ReviewAsk, ReviewDecision } from '../../review/types.ts'

/** The sources of goal mode in a test; every member can be set while the world runs. */
export interface GoalWorld {
  folder: string | null
  totals: Spent | null
  changed: boolean
  /** the question whether anything changed is never answered */
  hangs: boolean
  beads: BeadsState | null
  checks: FolderChecks
  /** why the folder's checks can't be read */
  broken: string | null
  /** one answer after the other; the last one stays */
  says: ReviewDecision[]
  /** what reviewers were asked, oldest first */
  asked: ReviewAsk[]
  /** while set, a review waits for it */
  gate: Promise<void> | null
  /** how long a review takes */
  ms: number
  /** reviews under way that were not stopped */
  running: number
  stopped: number
}

export const newGoalWorld = (): GoalWorld => ({
  folder: null,
  totals: null,
  changed: false,
  hangs: false,
  beads: null,
  checks: { folder: null, checks: [], problem: null },
  broken: null,
  says: [{ kind: 'failed', why: 'nobody reviews in this test' }],
  asked: [],
  gate: null,
  ms: 0,
  running: 0,
  stopped: 0,
})

export const reviewView = (ask: Pick<ReviewAsk, 'round'>, decision: ReviewDecision): ReviewView => ({
  round: ask.round,
  at: 0,
  ms: 1_000,
  by: 'zai/glm-5',
  backend: 'model',
  outcome: outcomeOf(decision),
  say: 'looked',
  evidence: [],
  blockers: [],
  looks: [],
  checks: [],
  usage: { input: 100, cachedInput: 0, output: 10, reasoning: 0 },
  costUsd: 0.01,
})

function outcomeOf(decision: ReviewDecision): ReviewView['outcome'] {
  switch (decision.kind) {
    case 'send':
      return { code: 'not-reached' }
    case 'done':
      return { code: 'reached-unchecked' }
    case 'pause':
      return decision.reason.code === 'needs-user'
        ? { code: 'needs-user', text: decision.reason.text }
        : { code: 'checks-unapproved', names: decision.reason.names }
    case 'failed':
      return { code: 'failed', why: decision.why, inARow: 1 }
  }
}

export function goalDeps(world: GoalWorld, clock: Clock = virtualClock()): GoalDeps {
  const review: Review = async (ask, signal) => {
    world.asked.push(ask)
    world.running++
    const over = once(() => {
      world.running--
    })
    signal.addEventListener('abort', () => {
      world.stopped++
      over()
    })
    if (world.gate) await world.gate
    if (world.ms > 0) await pause(clock, world.ms, signal)
    over()
    const decision = world.says.length > 1 ? world.says.shift() : world.says[0]
    const said: ReviewDecision = decision ?? { kind: 'failed', why: 'nothing is scripted' }
    return { decision: said, view: reviewView(ask, said) }
  }
  return {
    folderOf: () => world.folder,
    totalsOf: () => world.totals,
    changedSince: async () => (world.hangs ? new Promise(() => {}) : world.changed),
    beads: { has: async () => world.beads !== null, ask: async () => world.beads ?? { kind: 'unknown' } },
    checks: {
      async of() {
        if (world.broken !== null) throw new Error(world.broken)
        return world.checks
      },
      peek: () => world.checks,
    },
    review,
    backend: () => 'model',
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}
