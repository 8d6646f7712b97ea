import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import type { RunProgram, Workspace } from '../../workspace/types.ts'
import type { AskReviewer } from './ask-model.ts'
import { createCommandReviewer } from './command-reviewer.ts'
import { failed, judge, type Judgement } from './judge.ts'
import { createModelReviewer } from './model-reviewer.ts'
import { reviewView } from './review-view.ts'
import type { Review, ReviewAsk, ReviewerReport } from './types.ts'

export interface ReviewDeps {
  ask: AskReviewer
  run: RunProgram
  workspaceOf(folder: string): Workspace | Promise<Workspace>
  checks: Pick<Checks, 'of' | 'run'>
  clock: Clock
  random: Random
  /** where a review command runs when the agent's folder is unknown */
  emptyFolder(): string
  config(): Config['stopMessage']['review']
}

/** A whole review: asks a reviewer as the config says now, judges its word, runs the declared checks. Never rejects. */
export function createReview(deps: ReviewDeps): Review {
  const reviewers = { model: createModelReviewer(deps), command: createCommandReviewer(deps) }
  return async (ask, signal) => {
    const { backend } = deps.config()
    const began = deps.clock.monotonic()
    let report: ReviewerReport = {
      word: { kind: 'failed', code: 'internal', message: 'It never began.' },
      inspections: [],
      checks: [],
      outputs: new Map(),
      by: backend,
      usage: null,
      costUsd: null,
    }
    let judgement: Judgement
    try {
      report = await reviewers[backend](ask, signal)
      const place = ask.folder === null ? null : await deps.workspaceOf(ask.folder)
      judgement = await judge(ask, report, { place, checks: deps.checks }, signal)
    } catch (error) {
      judgement = failed(ask, messageOf(error))
    }
    if (signal.aborted) judgement = stopped(ask, judgement)
    const view = reviewView({
      ask,
      report,
      judgement,
      backend,
      at: deps.clock.now(),
      ms: Math.round(deps.clock.monotonic() - began),
    })
    return { decision: judgement.decision, view }
  }
}

/** The caller that stopped it drops the result anyway; checks that ran until then did run. */
const stopped = (ask: ReviewAsk, { ran }: Judgement): Judgement => ({
  ...failed(ask, 'stopped'),
  outcome: { code: 'discarded' },
  ran,
})
