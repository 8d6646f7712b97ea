import type { CheckRun, Evidence, ReviewOutcome, Verdict, CheckView } from '../../../../shared/review.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { mayRun, sameWords } from '../../workspace/checks/state-of.ts'
import type { Checks, CheckResult } from '../../workspace/checks/types.ts'
import { evidenceLine, weigh } from './evidence.ts'
import { checksFailedText, languageOf, tidyFollowup } from './followup-text.ts'
import { cutEnd } from './shorten.ts'
import type { ReviewAsk, ReviewDecision, ReviewerReport } from './types.ts'
import { zh } from '../../../../shared/sentences/index.ts'
import type { Language } from '../../../../shared/words.ts'

export interface JudgeDeps {
  /** null: the agent's folder is unknown */
  place: { folder: string; exists(path: string): Promise<boolean> } | null
  checks: Pick<Checks, 'of' | 'run'>
}

export interface Judgement {
  decision: ReviewDecision
  outcome: ReviewOutcome
  /** checks that Onward ran for it */
  ran: readonly CheckRun[]
}

const mostWords = 600

/** Decides on a reviewer's report. When it says that a goal is reached, the checks begin. */
export async function judge(
  ask: ReviewAsk,
  report: ReviewerReport,
  deps: JudgeDeps,
  signal: AbortSignal,
): Promise<Judgement> {
  const { word } = report
  if (word.kind === 'failed') return failed(ask, word.message)
  const { verdict } = word
  const wantsUser = verdict.blockers.find(({ kind }) => kind === 'needs_user')
  if (wantsUser) return needsUser(wantsUser.text.trim() === '' ? unsaidNeed(languageOf(ask.goal)) : wantsUser.text)
  if (!verdict.goalReached)
    return {
      decision: { kind: 'send', text: tidyFollowup(verdict.followup) || ask.goal },
      outcome: { code: 'not-reached' },
      ran: [],
    }
  const believed = await believe(verdict, ask, report, deps)
  if (typeof believed === 'string') return failed(ask, believed)
  if (!deps.place) return reached(believed, 0, [])
  return byChecks(ask, believed, await runRequired(deps.place.folder, deps.checks, report.checks, signal))
}

/** @returns the first piece of evidence that holds, or why nothing is believed */
async function believe(
  { evidence }: Verdict,
  ask: ReviewAsk,
  report: ReviewerReport,
  { place }: JudgeDeps,
): Promise<Evidence | string> {
  const [first] = evidence
  if (!first) return `${report.by} said the goal is reached without any evidence.`
  if (!place) return first
  const { held, untrue } = await weigh(evidence, {
    ...place,
    records: report.records ?? null,
    checks: report.checks,
    declared: ask.checks.map(({ name }) => name),
  })
  if (untrue[0]) return `${report.by} gave ${untrue[0].source} as evidence, which is not there.`
  return held[0] ?? `${report.by} said the goal is reached, and nothing it gave as evidence could be seen.`
}

/** Failing checks come first: then no person has to be asked anything. */
function byChecks(
  ask: ReviewAsk,
  evidence: Evidence,
  { declared, problem, passed, failed: failing, unapproved, ran }: RequiredChecks,
): Judgement {
  if (failing.length > 0)
    return {
      decision: { kind: 'send', text: checksFailedText(failing, languageOf(ask.goal)) },
      outcome: { code: 'checks-failed', names: failing.map(({ run }) => run.name) },
      ran,
    }
  if (problem !== null) return { ...needsUser(unreadableChecks(problem, languageOf(ask.goal))), ran }
  if (unapproved.length > 0)
    return {
      decision: { kind: 'pause', reason: { code: 'checks-unapproved', names: unapproved } },
      outcome: { code: 'checks-unapproved', names: unapproved },
      ran,
    }
  // Counted against what is declared, whatever the paths above say.
  return passed.length === declared.length
    ? reached(evidence, passed.length, ran)
    : failed(ask, 'Not every declared check was run.')
}

function reached(evidence: Evidence, checks: number, ran: readonly CheckRun[]): Judgement {
  const reason = { code: 'goal-reached', checks, evidence: cutEnd(evidenceLine(evidence), mostWords) } as const
  return {
    decision: { kind: 'done', reason },
    outcome: checks === 0 ? { code: 'reached-unchecked' } : { code: 'reached', checks },
    ran,
  }
}

function needsUser(words: string): Judgement {
  const text = cutEnd(words.replace(/\s+/g, ' ').trim(), mostWords)
  return {
    decision: { kind: 'pause', reason: { code: 'needs-user', text } },
    outcome: { code: 'needs-user', text },
    ran: [],
  }
}

export function failed(ask: ReviewAsk, why: string): Judgement {
  return { decision: { kind: 'failed', why }, outcome: { code: 'failed', why, inARow: ask.failedBefore + 1 }, ran: [] }
}

/** The request to a person when the reviewer has no words of its own for it. */
export const unreadableChecks = (problem: string, language: Language): string =>
  language === 'zh-CN'
    ? zh`目标看来达成了，但检查的声明读不了：${problem}`
    : `The goal seems reached, but the declared checks can’t be read: ${problem}`

export const unsaidNeed = (language: Language): string =>
  language === 'zh-CN'
    ? '没有你就继续不了，复核没有说明要你做什么'
    : 'The agent can’t go on without you; the reviewer does not say for what'

/** The state of the checks that have to pass. */
interface RequiredChecks {
  /** all there are, as just read */
  declared: readonly CheckView[]
  /** why the declaration can't be read; null: it can */
  problem: string | null
  passed: readonly CheckRun[]
  failed: readonly CheckResult[]
  /** a person has not allowed them as they are now */
  unapproved: readonly string[]
  /** that ran just now, in order */
  ran: readonly CheckRun[]
}

/**
 * Runs every declared check that a person allowed, except those that passed in this very review with the same words.
 * The declaration is read again: minutes may have passed since the review began. @throws the error of reading it
 */
async function runRequired(
  folder: string,
  checks: Pick<Checks, 'of' | 'run'>,
  before: readonly CheckRun[],
  signal: AbortSignal,
): Promise<RequiredChecks> {
  const { checks: declared, problem } = await checks.of(folder)
  const passed: CheckRun[] = []
  const failed: CheckResult[] = []
  const unapproved: string[] = []
  const ran: CheckRun[] = []
  for (const check of declared) {
    const { name } = check
    signal.throwIfAborted()
    const earlier = before.findLast((run) => run.name === name)
    if (!mayRun(check)) unapproved.push(name)
    else if (earlier?.outcome === 'passed' && sameWords(earlier.argv, check.argv)) passed.push(earlier)
    else {
      const result = await runNow(folder, name, checks, signal)
      if (result === null) unapproved.push(name)
      else {
        if (result.run.outcome === 'stopped' && !signal.aborted && !(await mayStillRun(folder, name, checks))) {
          // A person took it back while it ran: by now less is required.
          const rest = await runRequired(folder, checks, [...before, ...ran], signal)
          return { ...rest, ran: [...ran, ...rest.ran] }
        }
        ran.push(result.run)
        if (result.run.outcome === 'passed') passed.push(result.run)
        else failed.push(result)
      }
    }
  }
  return { declared, problem, passed, failed, unapproved, ran }
}

const mayStillRun = async (folder: string, name: string, checks: Pick<Checks, 'of'>): Promise<boolean> =>
  (await checks.of(folder)).checks.some((check) => check.name === name && mayRun(check))

/** null: it may not run any more. @throws for a trouble of Onward's own */
async function runNow(
  folder: string,
  name: string,
  checks: Pick<Checks, 'run'>,
  signal: AbortSignal,
): Promise<CheckResult | null> {
  try {
    return await checks.run(folder, name, signal)
  } catch (error) {
    if (OnwardError.isInstance(error) && (error.code === 'check-not-approved' || error.code === 'check-changed'))
      return null
    throw new OnwardError(
      OnwardError.isInstance(error) ? error.code : 'check-failed',
      `The check “${name}” could not be run: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
