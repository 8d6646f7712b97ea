import type { RequestKind } from '../../../../../shared/words.ts'
import { heard } from '../../said.ts'
import type { Clock } from '../../../base/clock.ts'
import { isAutomation, type OutboxEntry } from '../entry.ts'
import type { OutboxTransaction, OutboxListener } from '../listener.ts'
import type { Sender } from '../send/sender.ts'
import type { QuietWait } from '../send/quiet-wait.ts'
import { isOf, receiptsIn, sentWithWords } from './receipt.ts'
import type { Requests } from './requests.ts'
import type { EntryEvent } from '../entry/transition.ts'
import type { Writer } from '../writer.ts'

/** One request of the scope as the pipeline sees it begin. */
export interface RequestStart {
  requestId: string
  sessionId: string | null
  kind: RequestKind
  /** texts of the last message when that is a user message, without what the client put around a person's words */
  lastUserTexts: readonly string[] | null
  /** a main turn that begins with a new user message: no tool round, no retry */
  hasNewMainTurn: boolean
  /** the part of the last message that a person wrote; null: none */
  said?: string | null
  /** no message precedes it: in a conversation that has begun it is a side request, not a turn */
  begins?: boolean
}

export interface RequestObserver {
  /** Resolves once the request's effects on the outbox are written down */
  requestStarted(start: RequestStart): Promise<void>
  /** `answer`: the main agent's words to the client, and whether it goes on */
  requestEnded(requestId: string, answer?: RequestAnswer | null): void
}

export interface RequestAnswer {
  sessionId: string
  text: string
  goesOn: boolean
}

export interface RequestObserverDeps {
  writer: Writer
  sender: Sender
  requests: Requests
  quiet: QuietWait
  clock: Clock
  listener: OutboxListener
  transaction(): OutboxTransaction
}

/** Reads from the scope's requests: proof of a submit, receipts, that an answer runs, that the person went on. */
export function createRequestObserver({
  writer,
  sender,
  requests,
  quiet,
  clock,
  listener,
  transaction,
}: RequestObserverDeps): RequestObserver {
  const mainTurn = async (start: RequestStart) => {
    sender.sent()
    const texts = start.lastUserTexts ?? []
    const { ours, proves, strays } = receiptsIn(start.sessionId, writer.state.entries, texts)
    const own = writer.state.entries.filter((entry) => isOf(entry, start.sessionId))
    const withWords = proves.length === 0 ? sentWithWords(own, texts) : []
    const at = clock.now()
    await writer.commit('best-effort', (draft) => {
      for (const id of [...proves, ...withWords]) {
        const entry = draft.state.entries.find((e) => e.id === id)
        if (entry) draft.apply(id, ...arrival(entry, at, withWords.includes(id), start.requestId))
      }
      for (const id of strays) {
        const entry = draft.state.entries.find((e) => e.id === id)
        if (entry)
          draft.apply(id, ...submitted(entry, at), { type: 'fail', at, reason: { code: 'other-conversation' } })
      }
      // A followup of this kind answers the stop before it, and that stop is over. Texts of a person or an alarm stay
      // wanted: they keep waiting, and only their owner takes them back.
      for (const entry of draft.state.entries)
        if (isAutomation(entry)) draft.apply(entry.id, { type: 'supersede', at, by: 'new-turn' })
    })
    const { run } = sender
    const typed = run && writer.find(run.entryId)
    if (run && typed && typed.phase.state === 'typing' && isAutomation(typed))
      run.withdrawal ??= { type: 'supersede', by: 'new-turn' }
    // Clients put texts of their own beside a followup they pass on: a receipt is never a person's turn.
    if (proves.length > 0) sender.watchWork()
    const byPerson = proves.length === 0 && texts.some((text, i) => !ours[i] && text.trim() !== '')
    await writer.tell(() =>
      listener.mainTurn(
        { requestId: start.requestId, sessionId: start.sessionId, confirmed: proves, byPerson },
        transaction(),
      ),
    )
  }

  /**
   * While a text is typed only the turn that carries it proves its submit. Another turn means that an answer runs: no
   * Enter into that. A client's own side requests (Qwen Code makes them after nearly every stop) mean neither.
   */
  const whileTyping = (start: RequestStart) => {
    const { kind, sessionId, hasNewMainTurn, lastUserTexts } = start
    const { run } = sender
    if (!run || !isTurn(kind)) return
    const { entries } = writer.state
    if (commandsIn(entries, start).some(({ id }) => id === run.entryId)) return run.arrived()
    const texts = lastUserTexts ?? []
    const { proves, strays } = receiptsIn(sessionId, entries, texts)
    const carries =
      kind === 'turn' &&
      hasNewMainTurn &&
      [...proves, ...strays, ...sentWithWords(entries, texts)].includes(run.entryId)
    if (carries) run.arrived()
    else run.stop({ code: 'response-running' })
  }

  /** Inside the queue. Written with the answer after which the agent stops: until then there are more to come. */
  const hears = async (sessionId: string, text: string, asked: boolean, isLast = false) => {
    const conversations = heard(writer.state.conversations, sessionId, text, asked)
    if (conversations !== writer.state.conversations)
      await writer.commit(isLast ? 'best-effort' : 'memory', (draft) => draft.set({ conversations }))
  }

  /** requests whose words are not those of their conversation */
  const beside = new Set<string>()

  return {
    requestStarted(start) {
      // A sub-agent in the background may work for ever beside an agent at rest: its screen tells them apart.
      if (start.kind !== 'subagent') requests.started(start.requestId, isTurn(start.kind))
      sender.began(start.kind === 'turn' && start.hasNewMainTurn ? 'turn' : 'request')
      quiet.busy(requests.running > 0)
      whileTyping(start)
      sender.check()
      return writer.queue(async () => {
        if (start.kind === 'turn' && writer.state.conversation !== start.sessionId) {
          await writer.commit('best-effort', (draft) => draft.set({ conversation: start.sessionId }))
        }
        const { sessionId, said } = start
        if (start.begins && writer.state.conversations.some((one) => one.sessionId === sessionId))
          beside.add(start.requestId)
        else if (start.kind === 'turn' && sessionId !== null && said) await hears(sessionId, said, true)
        if (start.kind === 'turn' && start.hasNewMainTurn) await mainTurn(start)
        const commands = commandsIn(writer.state.entries, start)
        if (commands.length > 0)
          await writer.commit('best-effort', (draft) => {
            for (const entry of commands) draft.apply(entry.id, ...arrival(entry, clock.now(), false, start.requestId))
          })
        sender.check()
      })
    },
    requestEnded(requestId, answer) {
      void writer.queue(async () => {
        if (!beside.delete(requestId) && answer) await hears(answer.sessionId, answer.text, false, !answer.goesOn)
      })
      requests.ended(requestId)
      quiet.busy(requests.running > 0)
      sender.check()
    },
  }
}

/** A command of the agent's own begins no turn: the request that it causes is its receipt. */
const commandsIn = (entries: readonly OutboxEntry[], { kind, sessionId }: RequestStart): readonly OutboxEntry[] =>
  kind !== 'compaction'
    ? []
    : entries.filter(
        (entry) =>
          entry.writtenBy === 'onward' &&
          isOf(entry, sessionId) &&
          (entry.phase.state === 'typing' || entry.phase.state === 'submitted' || entry.phase.state === 'unknown'),
      )

const isTurn = (kind: RequestKind): boolean => kind === 'turn' || kind === 'compaction'

/** The transitions from the entry's state to the one its receipt leads to. */
const arrival = (entry: OutboxEntry, at: number, withWords: boolean, requestId: string): EntryEvent[] => [
  ...submitted(entry, at),
  { type: 'receipt', at, requestId, ...(withWords && { withWords }) },
]

/** ... and to one that was sent. */
function submitted({ phase }: OutboxEntry, at: number): EntryEvent[] {
  const submit: EntryEvent = { type: 'submit', at, extraEnter: false }
  if (phase.state === 'queued') return [{ type: 'begin', at }, submit]
  return phase.state === 'typing' ? [submit] : []
}
