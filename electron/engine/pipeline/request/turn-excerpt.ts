import { createHash } from 'node:crypto'
import type { ClientKind, EntryProtocol } from '../../../../shared/words.ts'
import type { CanonicalRequest } from '../../protocol/canonical/request.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { parseObject } from '../../protocol/values.ts'
import { cutMiddle } from '../../servertools/review/shorten.ts'
import type { ExcerptCall, TurnExcerpt } from '../../servertools/stop-message/review/turn-excerpt.ts'
import { backgroundOf } from '../../sessions/background/background-work.ts'
import { mayShowDrive } from '../../sessions/drives/may-show-drive.ts'
import { drivenBy } from '../../sessions/drives/own-drive.ts'
import { personTexts } from '../../sessions/identify/person-text.ts'
import { stepsOf, type CallStep, type TurnStep } from './turn-steps.ts'
import { OnwardError } from '../../base/errors.ts'
import { codecOf } from '../../protocol/index.ts'

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
  const calls = seen.turn.filter((step) => step.type === 'call' && !seen.isOurs(step))
  return {
    calls: calls.slice(-mostCalls).flatMap((step) => (step.type === 'call' ? [excerptCall(step)] : [])),
    callsTotal: calls.length,
    text: cutMiddle(input.text, mostText),
    drivenBy: drivenBy(input.client, seen.steps),
    background: backgroundOf(input.client, seen.steps, seen.turn),
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
