import { addSpend, noSpend } from '../../../../shared/cost/cost.ts'
import type { CheckRun, Inspection, ReviewView, Verdict } from '../../../../shared/review.ts'
import { evidenceLine } from './evidence.ts'
import type { Judgement } from './judge.ts'
import { cutEnd } from './shorten.ts'
import type { ReviewAsk, ReviewerReport } from './types.ts'

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

export interface ViewParts {
  ask: ReviewAsk
  report: ReviewerReport
  judgement: Judgement
  backend: ReviewView['backend']
  at: number
  ms: number
}

export function reviewView({ ask, report, judgement, backend, at, ms }: ViewParts): ReviewView {
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
