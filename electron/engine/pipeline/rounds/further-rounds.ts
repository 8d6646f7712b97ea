import type { Usage } from '../../../../shared/cost/usage.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { serverToolCodecOf, type CallResult, type RoundSaid } from '../../protocol/server-tools.ts'
import type { NextStep } from '../../servertools/tool-rounds/tool-rounds.ts'
import type { RoundWatch } from '../../servertools/types.ts'
import { hiddenHistory } from './hidden-history.ts'
import { sendInner } from './inner-round.ts'
import { keepAlive } from './keep-alive.ts'
import type { RoundReplies } from './round-replies.ts'
import type { RoundsInput } from './rounds-input.ts'
import { isSilentEnd } from './silent-end.ts'
import { visibleSummary } from './visible-summary.ts'
import type { SendDeps } from '../send/deps.ts'
import { furtherRound, rewritten, type RequestDraft } from '../request/request-draft.ts'
import { isBroken, type ReenterFact, type Turn, type TurnEnd } from '../turn.ts'

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

/**
 * Sends further rounds after the first for as long as something follows, and ends the client's answer.
 * @throws OnwardError where a JSON answer's later round fails
 */
export async function furtherRounds(
  turn: Turn,
  deps: SendDeps,
  { toolRounds, next, keep }: RoundsInput,
  { draft, first, replies, open }: FirstRound,
): Promise<TurnEnd> {
  const client = turn.call.reply
  const { lens, reminder } = draft
  const serverTools = serverToolCodecOf(turn.call.entry)
  const names = toolRounds?.names ?? noNames
  const several = Number(lens.value('n') ?? lens.value('generationConfig', 'candidateCount') ?? 1) > 1
  const growingList = lens.streamForm === 'json-array'
  /** The client is gone, and lacks some of the answer. */
  const left = (): boolean => first.clientLeft || (client.left && replies.joined.open())
  const ended = abortedWhenLeft(client, left)

  const usages = [first.summary.usage]
  const hiddenTurns = hiddenHistory(serverTools, reminder)
  let further: RequestDraft | null = null
  let rounds = 1
  let last = first
  let failure: ReenterFact['failure'] = null
  let error: OnwardError | null = null
  let said: RoundSaid | null = null
  let results: readonly CallResult[] = []
  /** of a JSON answer, which reaches the client as a whole or not at all */
  const watched: RoundWatch[] = []

  const request = (): RequestDraft => (further ??= furtherRound(draft, first.choice))
  const readRound = (): RoundSaid => {
    const answer = replies.answer()
    if (!answer) throw new OnwardError('answer-too-large', 'The answer is too large to be sent back to the provider.')
    // Where no further request is made, the request's bytes may be gone, and there is no tool list to read calls by.
    return serverTools.readAnswer(answer, (replies.keepsRequest ? request() : turn.draft).lens, names)
  }
  /**
   * Decides what follows the round: its calls come first, then a followup of stopMessage, then the other automatic
   * ones.
   */
  const decide = async (): Promise<NextStep> => {
    const plain = isPlainStop(last)
    let afterCalls = nothingMore
    if (toolRounds && !isBroken(last) && replies.hidden()) {
      said = readRound()
      const step = await toolRounds.answerCalls(
        { depth: rounds - 1, hidden: said.hidden.map(({ call }) => call), clientCalls: said.calls.length },
        ended(),
      )
      if (step.kind !== 'end') return step
      afterCalls = step
    }
    const visible = visibleSummary(last, names)
    const stops = isWhole(last) && visible.finish === 'stop'
    if (next) {
      if (several && plain)
        throw new OnwardError('several-choices', 'A request for several choices has no one answer to go on from.')
      if (growingList && plain)
        throw new OnwardError(
          'no-joined-list',
          'Followups within one answer need a stream of events (alt=sse) ' +
            'or an answer in one piece; this client asked for a JSON list.',
        )
      // The decision may ask a reviewer first, which takes time.
      if (stops && replies.joined.open()) open.waiting ??= keepAlive(deps.clock, () => replies.joined.keepAlive())
      const followup = await next(visible, left(), {
        usage: sumOf(usages),
        choice: first.choice,
        streaming: replies.joined.streaming,
        left: ended(),
      })
      if (followup && stops) return { kind: 'reenter', text: followup.text, results: afterCalls.results }
    }
    const { finish } = visible
    if (
      !toolRounds ||
      !isWhole(last) ||
      (finish !== 'stop' && finish !== 'length') ||
      replies.hidden() ||
      several ||
      growingList
    )
      return afterCalls
    // After an end that the client has, nothing can follow, whatever came up meanwhile.
    if (!replies.joined.open()) return afterCalls
    // An answer may be held open for an alarm that is due soon, also for one that it has set itself.
    open.waiting ??= keepAlive(deps.clock, () => replies.joined.keepAlive())
    return toolRounds.react({
      depth: rounds - 1,
      finish,
      empty: !replies.said() && !isSilentEnd({ ...last, choice: first.choice }, further ?? draft),
      clientLeft: left(),
      streaming: replies.joined.streaming,
      signal: ended,
    })
  }

  for (;;) {
    said = null
    open.watch = null
    if (replies.hidden()) open.waiting ??= keepAlive(deps.clock, () => replies.joined.keepAlive())
    let step: NextStep
    try {
      step = await decide()
      open.watch = step.kind === 'reenter' ? (step.watch ?? null) : null
      if (step.kind === 'end' || left()) {
        if (step.kind === 'end') results = step.results
        open.watch?.failed('client-left')
        break
      }
      said ??= readRound()
      const items = [
        ...serverTools.resultItems(step.results),
        ...(step.kind === 'reenter' ? [serverTools.userItem(step.text)] : []),
      ]
      further = rewritten(request(), serverTools.append(request().lens, [...said.items, ...items]))
      hiddenTurns.round(said, items)
    } catch (thrown) {
      open.watch?.failed('upstream-failed')
      fail(rounds, thrown)
      break
    }
    replies.next(step.kind === 'answer' ? 'must-come' : 'may-break')
    const inner = await sendInner(turn, further, replies, deps, first.choice)
    if (inner.end) usages.push(inner.end.summary.usage)
    if (inner.end && isWhole(inner.end) && replies.joined.fits()) {
      rounds++
      last = inner.end
      if (!replies.joined.streaming) {
        if (open.watch) watched.push(open.watch)
      } else {
        open.watch?.began()
        open.watch = null
      }
      continue
    }
    open.watch?.failed(left() ? 'client-left' : 'upstream-failed')
    // A client that leaves does so by its own decision: that is not a failure.
    if (left() && inner.end) last = inner.end
    else if (step.kind === 'answer') {
      error = asError(inner.error ?? inner.end?.summary.error ?? null, inner.end?.status)
      if (inner.end) last = inner.end
    } else fail(rounds + 1, inner.error ?? inner.end?.summary.error ?? null)
    if (step.kind === 'reenter') {
      replies.joined.drop()
      hiddenTurns.dropRound()
    }
    break
  }
  open.waiting?.dispose()
  open.waiting = null

  function fail(round: number, thrown: unknown): void {
    failure = { round, ...described(thrown) }
  }

  if (error) {
    for (const one of watched) one.failed('upstream-failed')
    return failedLate(error)
  }
  const clientLeft = left()
  const summary = { ...visibleSummary(last, names), usage: sumOf(usages), responseId: first.summary.responseId }
  const filler = fillerOf()
  if (filler !== null) replies.joined.say(filler)
  if (!clientLeft && (hiddenTurns.rounds() > 0 || replies.hidden() || (reminder !== null && isWhole(last))))
    await tell()
  replies.joined.finish()
  for (const one of watched)
    if (clientLeft) one.failed('client-left')
    else one.began()
  return {
    ...first,
    summary,
    durationMs: deps.clock.monotonic() - turn.call.receivedAt,
    bytesOut: replies.joined.bytesOut,
    clientLeft,
    ...(next ? { reenter: { rounds, failure } } : failure ? { roundFailure: failure } : {}),
  }

  /** Clients ask again after an answer without visible text, so this says what was done. */
  function fillerOf(): string | null {
    if (!toolRounds || isBroken(last) || (toolRounds.did === null && !replies.hidden())) return null
    const text = hiddenTurns.text() + (said?.text ?? last.summary.text)
    const calls = said?.calls.length ?? last.summary.toolNames.length
    return text.trim() === '' && calls === 0 ? `(Onward: ${toolRounds.did ?? 'nothing was run'})` : null
  }

  async function tell(): Promise<void> {
    try {
      await keep(
        hiddenTurns.end({
          said: said ?? readRound(),
          results,
          filler,
          responseId: first.summary.responseId,
          continuesAs: last.summary.responseId,
        }),
      )
    } catch (thrown) {
      // The client has its answer; only a later request may lack what it did not see.
      fail(rounds, thrown)
    }
  }

  /** A round that had to come failed: there is no answer without it. */
  function failedLate(cause: OnwardError): TurnEnd {
    if (!replies.joined.streaming) throw cause
    replies.joined.fail(
      turn.codec.errorEvent({
        code: cause.code,
        message: cause.message,
        requestId: turn.call.requestId,
        sequence: 0,
        responseId: first.summary.responseId,
        model: first.summary.model,
        nowMs: deps.clock.now(),
      }),
    )
    replies.joined.finish()
    return {
      ...first,
      durationMs: deps.clock.monotonic() - turn.call.receivedAt,
      bytesOut: replies.joined.bytesOut,
      clientLeft: left(),
      summary: {
        ...last.summary,
        usage: sumOf(usages),
        finish: 'error',
        complete: false,
        error: { code: cause.code, message: cause.message },
      },
    }
  }
}

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

const noNames: ReadonlySet<string> = new Set()
const nothingMore: Extract<NextStep, { kind: 'end' }> = { kind: 'end', results: [] }

const isWhole = (end: TurnEnd): boolean => !isBroken(end)
const isPlainStop = (end: TurnEnd): boolean => isWhole(end) && end.summary.finish === 'stop'

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
