import type { Usage } from '../../../../shared/cost/usage.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { markEnd, serverToolCodecOf } from '../../protocol/index.ts'
import type { CallResult, RoundSaid, ServerToolCodec } from '../../protocol/server-tools/types.ts'
import type { NextStep } from '../../servertools/tool-rounds/tool-rounds.ts'
import type { RoundWatch } from '../../servertools/types.ts'
import { hiddenHistory, type HiddenHistoryWriter } from './hidden-history.ts'
import { endsInResults } from '../../protocol/lens/lens.ts'
import { sendInner, keepAlive, isSilentEnd } from './inner-round.ts'
import { type RoundReplies, visibleSummary } from './round-replies.ts'
import type { RoundsInput } from './rounds-input.ts'
import type { SendDeps } from '../send/deps.ts'
import {
  furtherRound,
  rewritten,
  type RequestDraft,
  isBroken,
  type ReenterFact,
  type Turn,
  type TurnEnd,
} from '../turn.ts'

/** Timers and watches that end with the next words of an answer made of rounds. */
export interface OpenAnswer {
  /** tells the client from time to time that more is coming */
  waiting: { dispose(): void } | null
  /** watches the round under way, to learn when it reaches the client */
  watch: RoundWatch | null
}

/** The first round, which is over. */
export interface FirstRound {
  /** the request of the first round */
  draft: RequestDraft
  first: TurnEnd
  replies: RoundReplies
  open: OpenAnswer
}

interface AnswerRounds extends FirstRound, RoundsInput {
  turn: Turn
  deps: SendDeps
  serverTools: ServerToolCodec
  /** the client asked for several choices */
  several: boolean
  /** ... for a JSON list that grows */
  growingList: boolean
  /** The client is gone, and lacks some of the answer. */
  left(): boolean
  ended: () => AbortSignal
  hiddenTurns: HiddenHistoryWriter
  usages: (Usage | null)[]
  /** the last request after the first */
  further: RequestDraft | null
  rounds: number
  last: TurnEnd
  said: RoundSaid | null
  results: readonly CallResult[]
  failure: ReenterFact['failure']
  /** a round that had to come failed: there is no answer without it */
  error: OnwardError | null
  /** of a JSON answer, which reaches the client as a whole or not at all */
  watched: RoundWatch[]
}

/**
 * Sends further rounds after the first for as long as something follows, and ends the client's answer.
 * @throws OnwardError where a JSON answer's later round fails
 */
export async function furtherRounds(
  turn: Turn,
  deps: SendDeps,
  input: RoundsInput,
  firstRound: FirstRound,
): Promise<TurnEnd> {
  const client = turn.call.reply
  const { draft, first, replies, open } = firstRound
  const { lens, reminder } = draft
  const serverTools = serverToolCodecOf(turn.call.entry)
  const left = (): boolean => first.clientLeft || (client.left && replies.joined.open())
  const run: AnswerRounds = {
    ...input,
    ...firstRound,
    turn,
    deps,
    serverTools,
    several: Number(lens.value('n') ?? lens.value('generationConfig', 'candidateCount') ?? 1) > 1,
    growingList: lens.streamForm === 'json-array',
    left,
    ended: abortedWhenLeft(client, left),
    hiddenTurns: hiddenHistory(serverTools, reminder),
    usages: [first.summary.usage],
    further: null,
    rounds: 1,
    last: first,
    said: null,
    results: [],
    failure: null,
    error: null,
    watched: [],
  }
  let goesOn = true
  while (goesOn) goesOn = await anotherRound(run)
  open.waiting?.dispose()
  open.waiting = null
  return run.error ? failedLate(run, run.error) : finished(run)
}

/** @returns true if the round came whole, so that another may follow */
async function anotherRound(run: AnswerRounds): Promise<boolean> {
  const { open, replies, serverTools, hiddenTurns, left } = run
  run.said = null
  open.watch = null
  if (replies.hidden()) keepWaiting(run)
  let step: NextStep
  let further: RequestDraft
  try {
    step = await decide(run)
    open.watch = step.kind === 'reenter' ? (step.watch ?? null) : null
    if (step.kind === 'end' || left()) {
      if (step.kind === 'end') run.results = step.results
      open.watch?.failed('client-left')
      return false
    }
    const said = (run.said ??= readRound(run))
    const items = [
      ...serverTools.resultItems(step.results),
      ...(step.kind === 'reenter' ? [serverTools.userItem(step.text)] : []),
    ]
    further = rewritten(requestOf(run), serverTools.append(requestOf(run).lens, [...said.items, ...items]))
    run.further = further
    hiddenTurns.round(said, items)
  } catch (thrown) {
    open.watch?.failed('upstream-failed')
    fail(run, run.rounds, thrown)
    return false
  }
  replies.next(step.kind === 'answer' ? 'must-come' : 'may-break')
  // Only what is sent has the mark: the next round puts it on its own end.
  const sent = { ...further, edits: [...further.edits, ...markEnd(further.lens)] }
  const inner = await sendInner(run.turn, sent, replies, run.deps, run.first.choice)
  if (inner.end) run.usages.push(inner.end.summary.usage)
  if (inner.end && isWhole(inner.end) && replies.joined.fits()) {
    run.rounds++
    run.last = inner.end
    if (!replies.joined.streaming) {
      if (open.watch) run.watched.push(open.watch)
    } else {
      open.watch?.began()
      open.watch = null
    }
    return true
  }
  open.watch?.failed(left() ? 'client-left' : 'upstream-failed')
  const thrown = inner.error ?? inner.end?.summary.error ?? null
  // A client that leaves does so by its own decision: that is not a failure.
  if (left() && inner.end) run.last = inner.end
  else if (step.kind === 'answer') {
    run.error = asError(thrown, inner.end?.status)
    if (inner.end) run.last = inner.end
  } else fail(run, run.rounds + 1, thrown)
  if (step.kind === 'reenter') {
    replies.joined.drop()
    hiddenTurns.dropRound()
  }
  return false
}

/**
 * Decides what follows the round: its calls come first, then a followup of stopMessage, then the other automatic
 * ones.
 */
async function decide(run: AnswerRounds): Promise<NextStep> {
  const { toolRounds, next, replies, last, first, several, growingList } = run
  const whole = isWhole(last)
  let afterCalls = nothingMore
  if (toolRounds && whole && replies.hidden()) {
    run.said = readRound(run)
    const step = await toolRounds.answerCalls(
      { depth: run.rounds - 1, hidden: run.said.hidden.map(({ call }) => call), clientCalls: run.said.calls.length },
      run.ended(),
    )
    if (step.kind !== 'end') return step
    afterCalls = step
  }
  const visible = visibleSummary(last, replies.names)
  const { finish } = visible
  if (next) {
    if (whole && last.summary.finish === 'stop') refuseToGoOn(several, growingList)
    const stops = whole && finish === 'stop'
    // The decision may ask a reviewer first, which takes time.
    if (stops && replies.joined.open()) keepWaiting(run)
    const followup = await next(visible, run.left(), {
      usage: sumOf(run.usages),
      choice: first.choice,
      streaming: replies.joined.streaming,
      left: run.ended(),
    })
    if (followup && stops) return { kind: 'reenter', text: followup.text, results: afterCalls.results }
  }
  const mayReact = whole && (finish === 'stop' || finish === 'length') && !replies.hidden() && !several && !growingList
  // After an end that the client has, nothing can follow, whatever came up meanwhile.
  if (!toolRounds || !mayReact || !replies.joined.open()) return afterCalls
  // An answer may be held open for an alarm that is due soon, also for one that it has set itself.
  keepWaiting(run)
  return toolRounds.react({
    depth: run.rounds - 1,
    finish,
    empty:
      !replies.said() &&
      !isSilentEnd({ ...last, choice: first.choice }, endsInResults((run.further ?? run.draft).lens)),
    clientLeft: run.left(),
    streaming: replies.joined.streaming,
    signal: run.ended,
  })
}

function refuseToGoOn(several: boolean, growingList: boolean): void {
  if (several)
    throw new OnwardError('several-choices', 'A request for several choices has no one answer to go on from.')
  if (growingList)
    throw new OnwardError(
      'no-joined-list',
      'Followups within one answer need a stream of events (alt=sse) ' +
        'or an answer in one piece; this client asked for a JSON list.',
    )
}

function keepWaiting({ open, deps, replies }: AnswerRounds): void {
  open.waiting ??= keepAlive(deps.clock, () => replies.joined.keepAlive())
}

const requestOf = (run: AnswerRounds): RequestDraft => (run.further ??= furtherRound(run.draft, run.first.choice))

function readRound(run: AnswerRounds): RoundSaid {
  const { replies, serverTools, turn } = run
  const answer = replies.answer()
  if (!answer) throw new OnwardError('answer-too-large', 'The answer is too large to be sent back to the provider.')
  // Where no further request is made, the request's bytes may be gone, and there is no tool list to read calls by.
  return serverTools.readAnswer(answer, (replies.keepsRequest ? requestOf(run) : turn.draft).lens, replies.names)
}

function fail(run: AnswerRounds, round: number, thrown: unknown): void {
  run.failure = { round, ...described(thrown) }
}

async function finished(run: AnswerRounds): Promise<TurnEnd> {
  const { replies, last, first, hiddenTurns, watched } = run
  const clientLeft = run.left()
  const { responseId } = first.summary
  const filler = fillerOf(run)
  if (filler !== null) replies.joined.say(filler)
  const lacks = hiddenTurns.rounds() > 0 || replies.hidden() || (run.draft.reminder !== null && isWhole(last))
  if (!clientLeft && lacks)
    try {
      const said = run.said ?? readRound(run)
      const continuesAs = last.summary.responseId
      await run.keep(hiddenTurns.end({ said, results: run.results, filler, responseId, continuesAs }))
    } catch (thrown) {
      // The client has its answer; only a later request may lack what it did not see.
      fail(run, run.rounds, thrown)
    }
  replies.joined.finish()
  for (const one of watched)
    if (clientLeft) one.failed('client-left')
    else one.began()
  const { rounds, failure } = run
  return {
    ...endOf(run, { ...visibleSummary(last, replies.names), usage: sumOf(run.usages), responseId }),
    clientLeft,
    ...(run.next ? { reenter: { rounds, failure } } : failure ? { roundFailure: failure } : {}),
  }
}

/** Clients ask again after an answer without visible text, so this says what was done. */
function fillerOf({ toolRounds, last, replies, hiddenTurns, said }: AnswerRounds): string | null {
  if (!toolRounds || isBroken(last) || (toolRounds.did === null && !replies.hidden())) return null
  const text = hiddenTurns.text() + (said?.text ?? last.summary.text)
  const calls = said?.calls.length ?? last.summary.toolNames.length
  return text.trim() === '' && calls === 0 ? `(Onward: ${toolRounds.did ?? 'nothing was run'})` : null
}

function failedLate(run: AnswerRounds, cause: OnwardError): TurnEnd {
  const { turn, replies, first, last } = run
  const { code, message } = cause
  for (const one of run.watched) one.failed('upstream-failed')
  if (!replies.joined.streaming) throw cause
  replies.joined.fail(
    turn.codec.errorEvent({
      code,
      message,
      requestId: turn.call.requestId,
      sequence: 0,
      responseId: first.summary.responseId,
      model: first.summary.model,
      nowMs: run.deps.clock.now(),
    }),
  )
  replies.joined.finish()
  const usage = sumOf(run.usages)
  return endOf(run, { ...last.summary, usage, finish: 'error', complete: false, error: { code, message } })
}

const endOf = ({ first, deps, turn, replies, left, usages }: AnswerRounds, summary: TurnEnd['summary']): TurnEnd => ({
  ...first,
  ...(usages.length > 1 ? { summed: true, lastUsage: usages.at(-1) ?? null } : {}),
  summary,
  durationMs: deps.clock.monotonic() - turn.call.receivedAt,
  bytesOut: replies.joined.bytesOut,
  clientLeft: left(),
})

/** A signal costs more than most rounds need, so it is made when something first waits with it. */
function abortedWhenLeft(client: Turn['call']['reply'], left: () => boolean): () => AbortSignal {
  let made: AbortController | null = null
  return () => {
    if (made) return made.signal
    const controller = new AbortController()
    made = controller
    client.onClose(() => {
      if (left()) controller.abort()
    })
    if (left()) controller.abort()
    return controller.signal
  }
}

const nothingMore: Extract<NextStep, { kind: 'end' }> = { kind: 'end', results: [] }

const isWhole = (end: TurnEnd): boolean => !isBroken(end)

/** `status`: the provider's; a client that learns of a limit waits. */
function asError(error: unknown, status = 200): OnwardError {
  const { code, message } = described(error)
  return OnwardError.isInstance(error)
    ? error
    : new OnwardError(code, message, { status: status >= 400 ? status : 502, cause: error })
}

function described(error: unknown): { code: string; message: string } {
  if (error === null) return { code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' }
  if (OnwardError.isInstance(error)) return { code: error.code, message: error.message }
  if (typeof error === 'object' && 'code' in error && 'message' in error)
    return { code: String(error.code), message: String(error.message) }
  return { code: 'internal', message: messageOf(error) }
}

/** Adds up the usage of all rounds; null when no provider reported any. */
function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce(
    (sum, usage) =>
      sum && usage
        ? {
            input: sum.input + usage.input,
            cachedInput: sum.cachedInput + usage.cachedInput,
            ...(sum.cacheWrite || usage.cacheWrite
              ? { cacheWrite: (sum.cacheWrite ?? 0) + (usage.cacheWrite ?? 0) }
              : {}),
            ...(sum.cacheWriteHour || usage.cacheWriteHour
              ? { cacheWriteHour: (sum.cacheWriteHour ?? 0) + (usage.cacheWriteHour ?? 0) }
              : {}),
            output: sum.output + usage.output,
            reasoning: sum.reasoning + usage.reasoning,
          }
        : (sum ?? usage),
    null,
  )
}
