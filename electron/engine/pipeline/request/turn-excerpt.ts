import { createHash } from 'node:crypto'
import type { Scope, ClientKind, EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type {
  CanonicalRequest,
  ContentPart,
  Message,
  ToolCallPart,
  ToolResultPart,
} from '../../protocol/canonical/request.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { codecOf } from '../../protocol/index.ts'
import { parseObject } from '../../protocol/values.ts'
import { cutMiddle } from '../../servertools/review/shorten.ts'
import type { TurnExcerpt, ExcerptCall } from '../../servertools/stop-message/turn-excerpt.ts'

import { backgroundOf, drivenBy, drivesIn } from '../../sessions/drives/index.ts'
import { mayShowDrive } from '../../sessions/drives/may-show-drive.ts'
import { personTexts } from '../../sessions/identify/person-text.ts'
import type { Turn, TurnEnd } from '../turn.ts'

/**
 * Excerpts of turns, read when a decision about them is due. The bytes of requests are kept until then, and only where
 * something is armed.
 */
export interface LastRequests {
  keep(turn: Turn): void
  /** Once per turn. null: it can't be read; without its request there are only the answer's words */
  excerpt(turn: Turn, summary: TurnEnd['summary']): TurnExcerpt | null
}

export interface LastRequestsDeps {
  isArmed(scope: Scope): boolean
  /** where a session without a terminal keeps its stopMessage; null: nowhere */
  reenterScope(sessionId: string): Scope | null
}

export function createLastRequests({ isArmed, reenterScope }: LastRequestsDeps): LastRequests {
  const bodies = new WeakMap<Turn, Buffer>()
  return {
    keep(turn) {
      const { scope, sessionId, kind } = turn.identity
      const where = scope ?? (sessionId === null ? null : reenterScope(sessionId))
      if (kind === 'turn' && turn.call.endpoint === 'generate' && where !== null && isArmed(where))
        bodies.set(turn, turn.draft.lens.body)
    },
    excerpt(turn, { text, finish, complete }) {
      const body = bodies.get(turn)
      bodies.delete(turn)
      if (finish !== 'stop' || !complete || turn.identity.kind !== 'turn') return null
      const { entry, path } = turn.call
      return body ? excerptOf({ entry, path, body, client: turn.identity.client, text }) : wordsOnly(text)
    },
  }
}

export const wordsOnly = (text: string): TurnExcerpt => ({ calls: [], callsTotal: 0, text, drivenBy: null })

/** A request with only the last items of its conversation, and the bytes of those left out. */
interface RequestEnding {
  body: Buffer
  before: Buffer
}

const firstBytes = 64 * 1024
const growth = 4

/**
 * Longer and longer tails of a request, each a valid request of its own; none as long as half of it. A caller that
 * wants to know what happened last reads the shortest tail that shows it, and the whole request where none does.
 */
function* requestEndings(entry: EntryProtocol, path: string, body: Buffer): Generator<RequestEnding> {
  const items = itemsOf(entry, path, body)
  const first = items[0]?.start ?? 0
  const end = items.at(-1)?.end ?? 0
  for (let bytes = firstBytes; bytes * 2 < end - first; bytes *= growth) {
    const from = items.find(({ start }) => start >= end - bytes)
    if (from)
      yield {
        body: Buffer.concat([body.subarray(0, first), body.subarray(from.start)]),
        before: body.subarray(first, from.start),
      }
  }
}

function itemsOf(entry: EntryProtocol, path: string, body: Buffer): readonly { start: number; end: number }[] {
  try {
    return codecOf(entry).read(body, path).items()
  } catch (error) {
    // Not a request at all: reading it whole reports that.
    if (OnwardError.isInstance(error)) return []
    throw error
  }
}

export interface ExcerptInput {
  entry: EntryProtocol
  /** path and query, as the client asked: Gemini has the model's name in it */
  path: string
  /** the client's own request that the answer belongs to */
  body: Buffer
  client: ClientKind
  /** the answer's last words */
  text: string
}

const mostCalls = 200
const mostArguments = 4_000
const mostResult = 8_000
const mostText = 16_000
const mostName = 200

/**
 * Names of Onward's own tools, which a client never sees; one that declares such a name itself has a tool of its own.
 */
const ours: ReadonlySet<string> = new Set(['clock', 'continue_execution', 'web_fetch', 'web_search'])

/**
 * Returns what the agent did in the turn that a plain stop just ended, read from its last request. Agents send all of a
 * conversation each time; only as much of its end is read as necessary, for 2 MB take 10 to 20 ms. Never throws. null:
 * the body can't be read.
 */
export function excerptOf(input: ExcerptInput): TurnExcerpt | null {
  const seen = seenInTail(input) ?? seenIn(input, input.body)
  if (!seen) return null
  const drives = drivesIn(input.client, seen.steps)
  const calls = seen.turn.filter((step) => step.type === 'call' && !seen.isOurs(step))
  return {
    calls: calls.slice(-mostCalls).flatMap((step) => (step.type === 'call' ? [excerptCall(step)] : [])),
    callsTotal: calls.length,
    text: cutMiddle(input.text, mostText),
    drivenBy: drivenBy(input.client, seen.steps, drives),
    background: backgroundOf(input.client, seen.steps, seen.turn, drives),
  }
}

interface Seen {
  steps: readonly TurnStep[]
  /**
   * everything since the last words of a person or of Onward; a client's own messages (reminders, notifications) are
   * part of it
   */
  turn: readonly TurnStep[]
  /** those words are among the steps */
  begun: boolean
  /** a call of a tool of Onward's, which the client has not declared itself */
  isOurs(step: CallStep): boolean
}

/** null: the end of the request alone is not enough, and all of it has to be read. */
function seenInTail(input: ExcerptInput): Seen | null {
  for (const { body, before } of requestEndings(input.entry, input.path, input.body)) {
    const seen = seenIn(input, body)
    if (!seen?.begun) continue
    // Signs of what drives a session may be anywhere in it, and Codex declares tools in the middle of its input.
    const isAll =
      !mayShowDrive(input.client, before) && !seen.turn.some((step) => step.type === 'call' && seen.isOurs(step))
    return isAll ? seen : null
  }
  return null
}

function seenIn({ entry, path, client }: ExcerptInput, body: Buffer): Seen | null {
  const request = requestOf(entry, path, body)
  if (!request) return null
  const steps = stepsOf(request)
  const declared = new Set(request.tools.flatMap((tool) => (tool.type === 'native' ? [] : [tool.name])))
  const begun = steps.findLastIndex(
    (step) => step.type === 'message' && personTexts(client, step.texts).some((text) => text !== ''),
  )
  return {
    steps,
    turn: steps.slice(begun + 1),
    begun: begun >= 0,
    isOurs: ({ name }) => ours.has(name) && !declared.has(name),
  }
}

/** A request's own members around its conversation, for reading a part of that alone. */
const around: Readonly<Record<EntryProtocol, string>> = {
  messages: '{"model":"m","max_tokens":1,"messages":[',
  chat: '{"model":"m","messages":[',
  responses: '{"model":"m","input":[',
  gemini: '{"contents":[',
}

/** The steps that these bytes of a conversation show, whole items with commas between; none: they can't be read. */
export function stepsIn(entry: EntryProtocol, path: string, items: Buffer): readonly TurnStep[] {
  const request = requestOf(entry, path, Buffer.concat([Buffer.from(around[entry]), items, Buffer.from(']}')]))
  return request ? stepsOf(request) : []
}

function requestOf(entry: EntryProtocol, path: string, body: Buffer): CanonicalRequest | null {
  try {
    const json = parseObject(body)
    return json && conversionOf[entry].readRequest(json, { path })
  } catch {
    // A provider answered this request, so the turn itself went well; the caller reports it as unknown.
    return null
  }
}

function excerptCall({ name, arguments: args, result, isError }: CallStep): ExcerptCall {
  return {
    name: cutMiddle(name, mostName),
    arguments: cutMiddle(args, mostArguments),
    result: result === null ? null : cutMiddle(result, mostResult),
    isError,
    key: createHash('sha256')
      .update(JSON.stringify([name, args]))
      .digest('base64url')
      .slice(0, 22),
  }
}

/**
 * A step of a conversation: a message to the agent, or a call it made. `system`: a client's message in the middle of a
 * conversation, in no user's name.
 */
type TurnStep = { type: 'message' | 'system'; texts: readonly string[] } | CallStep

interface CallStep {
  type: 'call'
  id: string
  name: string
  /** as the model wrote them */
  arguments: string
  /** null: none in this request yet */
  result: string | null
  isError: boolean
}

/** Leaves out the agent's own words: the last ones are read from its answer. */
function stepsOf({ messages }: Pick<CanonicalRequest, 'messages'>): readonly TurnStep[] {
  const steps: TurnStep[] = []
  const calls = new Map<string, CallStep[]>()
  for (const message of messages) addMessage(message, steps, calls)
  return steps
}

function addMessage(message: Message, steps: TurnStep[], calls: Map<string, CallStep[]>): void {
  switch (message.role) {
    case 'system':
      steps.push({ type: 'system', texts: message.parts.map(({ text }) => text) })
      return
    case 'assistant':
      for (const part of message.parts) if (part.type === 'tool-call') addCall(part, steps, calls)
      return
    case 'user': {
      for (const part of message.parts) if (part.type === 'tool-result') addResult(part, calls.get(part.callId) ?? [])
      const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      if (texts.length > 0) steps.push({ type: 'message', texts })
    }
  }
}

function addCall(
  { id, name, namespace, arguments: args }: ToolCallPart,
  steps: TurnStep[],
  calls: Map<string, CallStep[]>,
): void {
  const step: CallStep = {
    type: 'call',
    id,
    name: namespace === undefined ? name : `${namespace}.${name}`,
    arguments: args,
    result: null,
    isError: false,
  }
  steps.push(step)
  const same = calls.get(id)
  if (same) same.push(step)
  else calls.set(id, [step])
}

/**
 * The result belongs to the first call of this id without one, since some vendors count from zero each turn; a further
 * result (a script of Codex sends more while it runs) to the last.
 */
function addResult({ parts, isError }: ToolResultPart, same: readonly CallStep[]): void {
  const call = same.find(({ result }) => result === null) ?? same.at(-1)
  if (!call) return
  const text = parts.map(textOf).join('\n')
  call.result = call.result === null ? text : `${call.result}\n${text}`
  call.isError ||= isError
}

const textOf = (part: ContentPart): string => (part.type === 'text' ? part.text : `[${part.type}]`)
