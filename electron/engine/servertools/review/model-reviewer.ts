import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import type { Workspace } from '../../workspace/types.ts'
import type { AskReviewer, ReviewerAnswer, ReviewerMessage } from './ask-model.ts'
import { contextOf } from './context.ts'
import { createFence, type Fence } from './fence.ts'
import { lastStep, reviewerInstructions } from './instructions.ts'
import { inspectionDeclarations, isInspectionTool } from './inspection-input.ts'
import { createInspectionTools, type InspectionTools } from './inspection-tools.ts'
import type { ReviewAsk, Reviewer, ReviewerReport, ReviewerWord } from './types.ts'
import { findVerdict, verdictParameters, type ReadVerdict } from './verdict.ts'
import { addSpend, noSpend, type Spend } from '../../../../shared/cost/cost.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { Mutable } from '../../base/mutable.ts'
import { type EvidenceContext, weigh } from './evidence.ts'

export interface ModelReviewerDeps {
  ask: AskReviewer
  workspaceOf(folder: string): Workspace | Promise<Workspace>
  checks: Pick<Checks, 'run'>
  clock: Clock
  random: Random
  config(): Config['stopMessage']['review']
}

const verdictTool = {
  name: 'verdict',
  description: 'Your verdict. Call it once, alone, when you have seen enough.',
  parameters: verdictParameters,
}

/** A model that inspects the folder with read-only tools until it gives its verdict. */
export function createModelReviewer(deps: ModelReviewerDeps): Reviewer {
  return async (ask, signal) => {
    const { model, timeoutSeconds, maxSteps, context } = deps.config()
    const spent = spending()
    let by = model ?? 'review'
    let inspections: InspectionTools | null = null
    const report = (word: ReviewerWord): ReviewerReport => ({
      word,
      by,
      usage: spent.usage,
      ...spent.spend,
      inspections: inspections?.records.map(({ inspection }) => inspection) ?? [],
      records: inspections?.records ?? [],
      checks: inspections?.checks ?? [],
      outputs: inspections?.outputs ?? new Map(),
    })
    const time = timeLimit(deps.clock, timeoutSeconds * 1_000, signal)
    try {
      const workspace = ask.folder === null ? null : await deps.workspaceOf(ask.folder)
      inspections = workspace ? createInspectionTools({ workspace, checks: deps.checks, declared: ask.checks }) : null
      const fence = createFence(deps.random)
      const tools = [...(inspections ? inspectionDeclarations() : []), verdictTool]
      const talk = createTalk(
        reviewerInstructions({ mark: fence.mark, hasTools: inspections !== null, steps: maxSteps }),
        contextOf(ask, context, fence),
        fence,
      )
      const one = async (): Promise<ReviewerAnswer> => {
        const answer = await time.spend((until, withinMs) =>
          deps.ask({ messages: [...talk.messages], tools, model, about: ask.sessionId, withinMs, signal: until }),
        )
        spent.add(answer)
        by = answer.by ?? by
        return answer
      }
      return report(await converse({ ask, talk, inspections, workspace, time, signal, maxSteps, one }))
    } catch (error) {
      if (signal.aborted) return report(failed('stopped', 'The review was stopped.'))
      if (time.over) return report(failed('timed-out', `${by} gave no verdict within ${timeoutSeconds} s.`))
      return report(failed(OnwardError.isInstance(error) ? error.code : 'internal', messageOf(error)))
    }
  }
}

const failed = (code: string, message: string): ReviewerWord => ({ kind: 'failed', code, message })

interface Conversation {
  ask: ReviewAsk
  talk: Talk
  inspections: InspectionTools | null
  workspace: Workspace | null
  time: TimeLimit
  signal: AbortSignal
  maxSteps: number
  one(): Promise<ReviewerAnswer>
}

/** Asks until there is an acceptable verdict. Each objection is made once, and allows two more answers at most. */
async function converse({
  ask,
  talk,
  inspections,
  workspace,
  time,
  signal,
  maxSteps,
  one,
}: Conversation): Promise<ReviewerWord> {
  const made = new Set<Objection['code']>()
  const context = () =>
    workspace && inspections
      ? {
          folder: workspace.folder,
          exists: workspace.exists,
          records: inspections.records,
          checks: inspections.checks,
          declared: ask.checks.map(({ name }) => name),
        }
      : null
  let most = maxSteps
  for (let step = 1; step <= most; step++) {
    signal.throwIfAborted()
    const isLast = step === most
    if (isLast) talk.add(lastStep)
    const answer = await one()
    const read = verdictIn(answer, inspections !== null && !isLast)
    if (read === null) {
      if (isLast) break
      await talk.carryOut(answer, inspections, time, signal)
      continue
    }
    const objection = await objectionTo(read, context())
    if (!objection && read.ok) return { kind: 'verdict', verdict: read.verdict }
    if (!objection) break
    if (made.has(objection.code)) return failed(objection.code, objection.why)
    made.add(objection.code)
    most = Math.max(most, step + 2)
    talk.object(answer, objection.ask)
  }
  return failed('no-verdict', `There was no verdict within ${most} answers.`)
}

/**
 * Returns null if the model wants to inspect first. A verdict next to inspections whose results it has not seen does
 * not count, except in its last answer.
 */
function verdictIn({ calls, text }: ReviewerAnswer, mayInspect: boolean): ReadVerdict | null {
  const call = calls.find(({ name }) => name === verdictTool.name)
  if (call && (calls.length === 1 || !mayInspect)) return findVerdict(call.arguments)
  return calls.length > 0 ? null : findVerdict(text)
}

/** The sum of all calls of a review; `usage` null: unknown for every call. */
interface Spending {
  add(one: Spend & { usage: Usage | null }): void
  readonly usage: Usage | null
  readonly spend: Spend
}

function spending(): Spending {
  const all: Mutable<Spending> = {
    usage: null,
    spend: noSpend,
    add(one) {
      all.spend = addSpend(all.spend, one)
      const { usage: more } = one
      if (!more) return
      const before: Usage = all.usage ?? { input: 0, cachedInput: 0, output: 0, reasoning: 0 }
      all.usage = {
        input: before.input + more.input,
        cachedInput: before.cachedInput + more.cachedInput,
        output: before.output + more.output,
        reasoning: before.reasoning + more.reasoning,
      }
    },
  }
  return all
}

/**
 * Why a verdict is not accepted. The model gets it once, in `ask`; the second time the review has failed, for the
 * reason in `why`.
 */
interface Objection {
  code: 'bad-verdict' | 'no-evidence' | 'false-evidence'
  ask: string
  why: string
}

/** @param context null: there is no folder, so nothing can be looked at */
async function objectionTo(read: ReadVerdict, context: EvidenceContext | null): Promise<Objection | null> {
  if (!read.ok)
    return {
      code: 'bad-verdict',
      why: `It gave no verdict that can be read. ${read.why}`,
      ask: `That is no verdict. ${read.why} Call \`verdict\` with exactly what it declares.`,
    }
  const { goalReached, evidence } = read.verdict
  if (context && !(context.records ?? []).some(({ inspection }) => inspection.ok)) {
    return {
      code: 'no-evidence',
      why: 'It judged without having looked at anything.',
      ask:
        'You have looked at nothing yet. Look at what shows whether the ' +
        'goal is reached, with the tools, and then give your verdict.',
    }
  }
  if (!goalReached) return null
  if (evidence.length === 0)
    return noEvidence('It said the goal is reached without any evidence.', 'There is no evidence in it.')
  if (!context) return null
  const { held, untrue } = await weigh(evidence, context)
  const [first] = untrue
  if (first)
    return {
      code: 'false-evidence',
      why: `Its evidence names ${first.source}, which is not there.`,
      ask:
        `The verdict is not believed: ${first.source} does not exist. ` +
        'Look again, and give only what you saw yourself as evidence.',
    }
  return held.length > 0
    ? null
    : noEvidence(
        'Nothing it gave as evidence was seen in this review.',
        'None of its sources is something you saw in this review.',
      )
}

const noEvidence = (why: string, said: string): Objection => ({
  code: 'no-evidence',
  why,
  ask:
    `The verdict is not accepted. ${said} Look at what shows that the goal is reached, and ` +
    'name it: file:<path>, check:<name>, git:status, git:diff, git:log or search:<text>.',
})

/** A model that asks for more at once is not thinking. */
const mostAtOnce = 20

/** The conversation with a reviewing model, as far as it has come. */
interface Talk {
  readonly messages: readonly ReviewerMessage[]
  /** Adds words at the end of the model's next input: some models accept no user message after results. */
  add(words: string): void
  /** Carries out the model's calls, and gives it the results. */
  carryOut(
    answer: ReviewerAnswer,
    inspections: InspectionTools | null,
    time: TimeLimit,
    stop: AbortSignal,
  ): Promise<void>
  /** Answers a verdict that is not accepted. */
  object(answer: ReviewerAnswer, words: string): void
}

function createTalk(instructions: string, context: string, fence: Fence): Talk {
  const messages: ReviewerMessage[] = [
    { role: 'system', text: instructions },
    { role: 'user', text: context },
  ]
  const add = (words: string) => {
    const last = messages.at(-1)
    if (last && last.role !== 'model') messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${words}` }
    else messages.push({ role: 'user', text: words })
  }
  const answerCall = (callId: string, text: string) => {
    messages.push({ role: 'tool', callId, text })
  }
  return {
    messages,
    add,
    async carryOut({ calls, raw }, inspections, time, stop) {
      messages.push({ role: 'model', raw })
      for (const [i, { id, name, arguments: json }] of calls.entries()) {
        if (name === 'verdict')
          answerCall(
            id,
            'Not taken: you have not seen the results of your other calls. Read them, and call `verdict` again, alone.',
          )
        else if (!inspections || !isInspectionTool(name)) answerCall(id, `There is no tool “${name}”.`)
        else if (i >= mostAtOnce) answerCall(id, `Not done: at most ${mostAtOnce} calls at once.`)
        else {
          const take = (signal: AbortSignal) => inspections.take(name, json, { signal, stop })
          // A check has its own time; the reviewer's is for the reviewer.
          const taken = await (name === 'run_check' ? take(stop) : time.spend(take))
          answerCall(id, taken.kind === 'bad' ? taken.text : fence.wrap(`result of ${name}`, taken.text))
        }
        stop.throwIfAborted()
      }
    },
    object({ calls, raw, text }, words) {
      if (calls.length === 0 && text.trim() === '') return add(words)
      messages.push({ role: 'model', raw })
      for (const { id, name } of calls) answerCall(id, name === 'verdict' ? words : 'Not done.')
      if (calls.length === 0) add(words)
    },
  }
}

/** A time budget that is spent piece by piece: time outside of `spend` does not count. */
interface TimeLimit {
  readonly over: boolean
  /**
   * `signal` ends with the time, or with the signal of the whole. @throws OnwardError `timed-out` where it is over
   * already
   */
  spend<T>(work: (signal: AbortSignal, withinMs: number) => Promise<T>): Promise<T>
}

function timeLimit(clock: Clock, ms: number, whole: AbortSignal): TimeLimit {
  let left = ms
  const limit: Mutable<TimeLimit> = {
    over: false,
    async spend(work) {
      if (limit.over) throw new OnwardError('timed-out', 'The time is over.')
      const ends = new AbortController()
      const began = clock.monotonic()
      const timer = clock.after(left, () => {
        limit.over = true
        ends.abort()
      })
      try {
        return await work(AbortSignal.any([whole, ends.signal]), left)
      } finally {
        timer.dispose()
        left = Math.max(0, left - (clock.monotonic() - began))
        limit.over ||= left === 0
      }
    },
  }
  return limit
}
