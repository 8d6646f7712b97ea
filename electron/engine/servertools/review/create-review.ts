import type { Config } from '../../../../shared/config/schema.ts'
import { addSpend, noSpend } from '../../../../shared/cost/cost.ts'
import type { CheckRun, Inspection, ReviewView, Verdict } from '../../../../shared/review.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import type { RunProgram, Workspace } from '../../workspace/types.ts'
import type { AskReviewer } from './ask-model.ts'
import { createCommandReviewer } from './command-reviewer.ts'
import { evidenceLine } from './evidence.ts'
import { failed, judge, type Judgement } from './judge.ts'
import { createModelReviewer } from './model-reviewer.ts'
import { cutEnd } from './shorten.ts'
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

/** Kept with every round and shown in lists: longer texts are cut. */
const most = {
  evidence: 8,
  blockers: 8,
  words: 300,
  inspections: 30,
  inspectionWords: 160,
  say: 300,
  checks: 30,
} as const

interface ViewParts {
  ask: ReviewAsk
  report: ReviewerReport
  judgement: Judgement
  backend: ReviewView['backend']
  at: number
  ms: number
}

function reviewView({ ask, report, judgement, backend, at, ms }: ViewParts): ReviewView {
  const verdict = report.word.kind === 'verdict' ? report.word.verdict : null
  const checks = [...report.checks, ...judgement.ran]
  return {
    round: ask.round,
    at,
    ms,
    by: cutEnd(report.by, most.inspectionWords),
    backend,
    outcome: judgement.outcome,
    say: sayOf(verdict, checks, judgement),
    evidence: (verdict?.evidence ?? [])
      .slice(0, most.evidence)
      .map(({ claim, source, result }) => ({ claim: short(claim), source: short(source), result: short(result) })),
    blockers: (verdict?.blockers ?? []).slice(0, most.blockers).map(({ kind, text }) => ({ kind, text: short(text) })),
    looks: report.inspections.slice(-most.inspections).map(shortInspection),
    checks: checks.slice(-most.checks),
    usage: report.usage,
    ...addSpend(noSpend, report),
  }
}

const short = (text: string): string => cutEnd(text, most.words)
const shortInspection = ({ tool, what, ok, say }: Inspection): Inspection => ({
  tool,
  what: cutEnd(what, most.inspectionWords),
  ok,
  say: cutEnd(say, most.inspectionWords),
})

/** The one thing most worth knowing: what fails, what is in the way, what was seen, what is next. */
function sayOf(verdict: Verdict | null, checks: readonly CheckRun[], { outcome }: Judgement): string {
  const failing =
    outcome.code === 'reached' ? undefined : checks.findLast((run) => run.outcome !== 'passed' && run.say !== '')
  const candidates = [
    failing?.say,
    verdict?.blockers[0]?.text,
    verdict?.evidence[0] && evidenceLine(verdict.evidence[0]),
    firstSentence(verdict?.followup ?? ''),
  ]
  const said = candidates.map((text) => text?.replace(/\s+/g, ' ').trim() ?? '').find((text) => text !== '') ?? ''
  return cutEnd(said, most.say)
}

const firstSentence = (text: string): string => /^.*?(?:[.!?](?=\s|$)|[。！？]|$)/su.exec(text.trim())?.[0] ?? ''
