import type { EventBody, RecordEvent } from '../../../../shared/events.ts'
import type { ServertoolRun } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import { problemOf } from '../../base/errors.ts'
import type { Mutable } from '../../base/mutable.ts'
import type { CallResult, HiddenCall, HiddenNames } from '../../protocol/server-tools/types.ts'
import type { Registry } from '../registry.ts'
import type { RoundEnding, RoundView, RoundWatch, TurnView } from '../types.ts'
import { failureText, runCalls } from './run-calls.ts'

export interface ToolRoundsDeps {
  registry: Registry
  clock: Clock
  record: RecordEvent
  /** `maxDepth`: calls are run in the first round and in this many after it */
  limits(): { maxDepth: number; maxSeconds: number }
}

type Stripped = Extract<EventBody, { type: 'servertool-stripped' }>['why']

/** of one round; models make a handful */
const mostCalls = 64

/** A round that called tools of Onward's. `depth`: 0 for the first. */
export interface CallingRound {
  depth: number
  hidden: readonly HiddenCall[]
  /** calls that are the client's own to run */
  clientCalls: number
}

/** A round that ended by itself. */
export type EndedRound = Omit<RoundView, 'turn' | 'again'>

/** The step after a round. */
export type NextStep =
  /** `results` stand for its hidden calls in the history */
  | { kind: 'end'; results: readonly CallResult[] }
  /** the calls are answered in another round */
  | { kind: 'answer'; results: readonly CallResult[] }
  /** a user's turn follows within the same answer, after the results of calls that are left */
  | { kind: 'reenter'; text: string; results: readonly CallResult[]; watch?: RoundWatch }

/** One client request and all its rounds, as the tools see it. */
export interface ToolRounds {
  /** calls by these names are Onward's */
  readonly names: HiddenNames
  /** another request may be made of this one */
  readonly asksAgain: boolean
  /** something may follow an answer without any call */
  readonly watchesEnd: boolean
  /** the answer's end may have to wait: an alarm is about to be due */
  readonly holdsEnd: boolean
  /** Never rejects. */
  answerCalls(round: CallingRound, signal: AbortSignal): Promise<NextStep>
  /** false: no automatic tool has anything to say about this end of the first round, so none need be asked */
  mayReact(end: RoundEnding): boolean
  /** Asks the automatic ones. Never rejects. */
  react(round: EndedRound): Promise<NextStep>
  readonly runs: readonly ServertoolRun[]
  /** the agent's next message after the answer is over */
  readonly continueWith: { text: string } | null
  /** a summary for an answer without a text of its own; null: nothing was done */
  readonly did: string | null
}

/** `undeclared`: names whose calls are taken out all the same, and not run */
export function createToolRounds(
  turn: TurnView,
  declared: HiddenNames,
  deps: ToolRoundsDeps,
  undeclared: HiddenNames = new Set(),
): ToolRounds {
  const { registry, clock, record, limits } = deps
  const where = whereOf(turn)
  const since = clock.monotonic()
  const outOfTime = () => clock.monotonic() - since > limits().maxSeconds * 1000
  const runs: ServertoolRun[] = []
  const done = new Set<string>()
  /** its calls got errors already: any further call is taken out */
  let wasLast = false

  const isTurn = turn.kind === 'turn'
  const namesOf = (calls: readonly HiddenCall[]) => calledNames(registry, calls)
  const recordStripped = (calls: readonly HiddenCall[], why: Stripped) =>
    record(where, {
      type: 'servertool-stripped',
      tools: namesOf(calls),
      ...(calls.length > mostCalls ? { calls: calls.length } : {}),
      why,
    })
  const strip = (calls: readonly HiddenCall[], why: Exclude<Stripped, 'calls'>): NextStep => {
    recordStripped(calls, why)
    return { kind: 'end', results: refuse(calls, why, 'Not run.') }
  }
  /** A model that calls without end would have every other session wait. */
  const refuseTooMany = (calls: readonly HiddenCall[]): CallResult[] => {
    if (calls.length > 0) recordStripped(calls, 'calls')
    return refuse(
      calls,
      'too-many-calls',
      `Not run: of one answer the first ${mostCalls} calls are run. Make this one again if it is still needed.`,
    )
  }

  async function answerCalls(round: CallingRound, signal: AbortSignal): Promise<NextStep> {
    const ours = round.hidden.filter(({ name }) => declared.has(name))
    if (ours.length === round.hidden.length || !isTurn) return answerDeclared(round, signal)
    const stripped = strip(
      round.hidden.filter(({ name }) => !declared.has(name)),
      'not-declared',
    )
    if (ours.length === 0) return stripped
    const step = await answerDeclared({ ...round, hidden: ours }, signal)
    return { ...step, results: [...step.results, ...stripped.results] }
  }

  async function answerDeclared({ hidden, clientCalls, depth }: CallingRound, signal: AbortSignal): Promise<NextStep> {
    const over = depth > limits().maxDepth ? 'depth' : outOfTime() ? 'time' : null
    if (!isTurn) return strip(hidden, 'not-a-turn')
    if (wasLast) return strip(hidden, over ?? 'depth')
    if (over) {
      wasLast = true
      if (clientCalls > 0) return strip(hidden, over)
      const why = 'Not run: this answer has called tools as often as it may. Answer now, without further calls.'
      return next(depth, refuse(hidden, over, why))
    }
    const ran = await runCalls(hidden.slice(0, mostCalls), turn, depth, signal, deps)
    runs.push(...ran.map(({ run }) => run))
    for (const { run } of ran) {
      const said = run.failure === null ? registry.called(run.tool)?.did : undefined
      if (said !== undefined) done.add(said)
    }
    if (done.size > 0) rounds.did = [...done].join(', ')
    const results = [...ran.map(({ result }) => result), ...refuseTooMany(hidden.slice(mostCalls))]
    rounds.continueWith ??= ran.find((call) => call.continueWith !== null)?.continueWith ?? null
    // Its own calls come first: the agent goes on by itself when they are done.
    if (clientCalls > 0) {
      rounds.continueWith = null
      return { kind: 'end', results }
    }
    if (results.length === ran.length && ran.every((call) => call.continueWith !== null))
      return { kind: 'end', results }
    return next(depth, results)
  }

  function next(depth: number, results: readonly CallResult[]): NextStep {
    record(where, {
      type: 'servertool-round',
      round: depth + 2,
      tools: namesOf(results.map(({ call }) => call)),
    })
    return { kind: 'answer', results }
  }

  const rounds: Mutable<ToolRounds> = {
    names: undeclared.size === 0 ? declared : new Set([...declared, ...undeclared]),
    asksAgain: declared.size > 0 || registry.automatic().length > 0,
    watchesEnd: isTurn && registry.automatic().length > 0,
    holdsEnd: isTurn && registry.automatic().some((tool) => tool.mayHold?.(turn) ?? false),
    answerCalls,
    mayReact: (end) => isTurn && registry.automatic().some((tool) => tool.mayReact?.(turn, end) ?? true),
    react: reacting(turn, deps, outOfTime),
    runs,
    continueWith: null,
    did: null,
  }
  return rounds
}

const whereOf = ({ sessionId, scope, requestId }: TurnView) => ({ sessionId, scope, requestId })

const refuse = (calls: readonly HiddenCall[], code: string, message: string): CallResult[] =>
  calls.map((call) => ({ call, text: failureText(code, message, false), isError: true }))

/** Some names are enough if there are a great many calls. */
const calledNames = (registry: Registry, calls: readonly HiddenCall[]): string[] =>
  calls.slice(0, mostCalls).map(({ name }) => registry.called(name)?.name ?? name)

function reacting(turn: TurnView, deps: ToolRoundsDeps, outOfTime: () => boolean): ToolRounds['react'] {
  const { registry, clock, record } = deps
  const where = whereOf(turn)
  let reacted = false

  return async ({ depth, finish, empty, clientLeft, streaming, signal }) => {
    if (turn.kind !== 'turn' || outOfTime()) return { kind: 'end', results: [] }
    for (const tool of registry.automatic()) {
      const seen: RoundView = { depth, finish, empty, clientLeft, streaming, turn, again: reacted, signal }
      const began = clock.monotonic()
      const took = () => Math.max(0, Math.round(clock.monotonic() - began))
      const failed = ({ code, message }: { code: string; message: string }) =>
        record(where, { type: 'servertool-failed', tool: tool.name, round: depth + 1, ms: took(), code, message })
      try {
        const reaction = await tool.react(seen)
        if (!reaction) continue
        if (reaction.kind === 'gave-up') {
          failed(reaction)
          continue
        }
        if (tool.repeats !== true) {
          if (reacted) continue
          reacted = true
        }
        record(where, { type: 'servertool-reacted', tool: tool.name, ms: took(), note: reaction.note })
        const { text, watch } = reaction
        return { kind: 'reenter', text, results: [], ...(watch ? { watch } : {}) }
      } catch (error) {
        // The client has its answer: the failure of an automatic tool costs it nothing.
        failed(problemOf(error, 'failed'))
      }
    }
    return { kind: 'end', results: [] }
  }
}
