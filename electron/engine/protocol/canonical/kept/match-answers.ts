import { createHash } from 'node:crypto'
import { withoutBlanks } from '../../server-tools/types.ts'
import { sortedJson } from '../../values.ts'
import type { AnswerEvent } from '../answer.ts'
import type { Seal, Message, ToolCallPart, WireProtocol } from '../request.ts'

/** Longer thinking is not worth a place on the disk. Characters. */
const mostChars = 2 * 1024 * 1024
/** The most characters that wait to be counted. */
const mostWaiting = 4 * 1024

interface Growing {
  kind: 'thinking' | 'text' | 'call'
  /** thinking, or a call's arguments */
  texts: string[]
  seal: Seal | null
  id: string
  name: string
  length: number
  solid: number
}

/**
 * Watches an answer on its way to the client. `keep` is called once, when it ended properly and holds anything sealed.
 */
export function collectAnswer(
  facts: Pick<KeptAnswer, 'of' | 'by' | 'ordinal' | 'at'>,
  keep: (answer: KeptAnswer) => void,
): (event: AnswerEvent) => void {
  const pieces = new Map<number, Growing>()
  const visible = textDigest()
  let thought = 0
  /** words that are not counted yet, and the piece they belong to: a digest of every few words would cost most */
  let words = ''
  let spoken: Growing | null = null

  function count(): void {
    if (spoken) spoken.solid += visible.add(words)
    words = ''
    spoken = null
  }

  function delta(piece: Growing, text: string): void {
    piece.length += text.length
    if (piece.kind === 'text') {
      if (spoken !== piece || words.length > mostWaiting) count()
      spoken = piece
      words += text
      return
    }
    if (piece.kind === 'thinking') thought += text.length
    if (thought <= mostChars) piece.texts.push(text)
  }

  function end(): void {
    count()
    const all = [...pieces.values()]
    if (thought > mostChars || !all.some(({ seal }) => seal)) return
    const calls = all.filter(({ kind }) => kind === 'call')
    keep({
      ...facts,
      text: visible.end(),
      calls: digestOfCalls(calls.map((call): CallFacts => ({ name: call.name, arguments: call.texts.join('') }))),
      pieces: all.flatMap(pieceOf),
    })
  }

  return (event) => {
    switch (event.type) {
      case 'begin': {
        const { part } = event
        if (part.kind === 'search') return
        const kind = part.kind === 'thinking' ? 'thinking' : part.kind === 'tool-call' ? 'call' : 'text'
        const [id, name] = part.kind === 'tool-call' ? [part.id, part.name] : ['', '']
        pieces.set(event.block, { kind, texts: [], seal: null, id, name, length: 0, solid: 0 })
        return
      }
      case 'delta': {
        const piece = pieces.get(event.block)
        if (piece) delta(piece, event.text)
        return
      }
      case 'seal': {
        const piece = pieces.get(event.block)
        if (piece) piece.seal = event.seal
        return
      }
      case 'finish':
        return end()
      case 'start':
      case 'citation':
      case 'end':
      case 'error':
        return
    }
  }
}

/** Thinking without a seal is of no use to its provider. */
function pieceOf({ kind, texts, seal, id, length, solid }: Growing): KeptPiece[] {
  switch (kind) {
    case 'thinking':
      return seal ? [{ type: 'thinking', text: texts.join(''), seal }] : []
    case 'call':
      return [{ type: 'call', id, seal }]
    case 'text':
      return length > 0 ? [{ type: 'text', length, solid }] : []
  }
}

export type AssistantMessage = Extract<Message, { role: 'assistant' }>

/** A part of a request that may be one answer: an assistant's message, or several in a row that belong together. */
interface Place {
  /** index of its first message in the request, and how many there are */
  index: number
  count: number
  parts: AssistantMessage['parts']
  /** how many answers stand before it */
  ordinal: number
}

export interface Match {
  place: Place
  answer: KeptAnswer
}

/** The assistant's messages of a request, but not the beginning of an answer that the client wants continued. */
export function placesOf(messages: readonly Message[]): Place[] {
  const places: Place[] = []
  let answers = 0
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const follows = messages[index - 1]?.role === 'assistant'
    if (!follows) answers++
    places.push({ index, count: 1, parts: message.parts, ordinal: answers - 1 })
  }
  return messages.at(-1)?.role === 'assistant' ? places.filter(({ ordinal }) => ordinal < answers - 1) : places
}

/** How many answers a request holds. */
export const answersIn = (messages: readonly Message[]): number =>
  messages.filter(({ role }, i) => role === 'assistant' && messages[i - 1]?.role !== 'assistant').length

/** Ids of all calls in a request. */
export const callIdsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message.parts).map(({ id }) => id) : []))

export const callsOf = (parts: AssistantMessage['parts']): ToolCallPart[] =>
  parts.filter((part) => part.type === 'tool-call')

export const textsOf = (parts: AssistantMessage['parts']): string[] =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []))

const idsOf = ({ pieces }: KeptAnswer): string[] => pieces.flatMap((piece) => (piece.type === 'call' ? [piece.id] : []))

/**
 * Finds the answers again. Ids of calls are exact, so they count also where the client changed the words; some vendors
 * count them from zero in every answer, and then calls or place must agree as well. Without ids (Gemini's clients leave
 * them out, others have only words) all that the client shows must be the same: at the place it had, or where it is the
 * only one of its kind, since agents say "Done." more than once.
 */
export function matchAnswers(places: readonly Place[], answers: readonly KeptAnswer[]): Match[] {
  const found: Match[] = []
  const left = new Set(answers.toReversed())
  const open = new Set<Place>(places)
  const take = (place: Place, answer: KeptAnswer) => {
    found.push({ place, answer })
    left.delete(answer)
    open.delete(place)
  }

  const byId = new Map<string, KeptAnswer[]>()
  for (const answer of left) for (const id of idsOf(answer)) byId.set(id, [...(byId.get(id) ?? []), answer])
  for (const place of [...open].toReversed()) {
    const shared = new Set(callsOf(place.parts).flatMap(({ id }) => byId.get(id) ?? []))
    const answer = ofSameIds(
      place,
      [...shared].filter((one) => left.has(one)),
    )
    if (!answer) continue
    const whole = withWordsBefore(place, answer, open)
    for (const part of whole.parted) open.delete(part)
    take(whole.place, answer)
  }

  const prints = fingerprints()
  for (const place of open) {
    const answer = [...left].find((one) => one.ordinal === place.ordinal && prints.same(place, one))
    if (answer) take(place, answer)
  }
  for (const place of open) {
    const same = [...left].filter((one) => prints.same(place, one))
    const [only, ...more] = same
    const alike = only ? [...open].filter((other) => prints.same(other, only)) : []
    if (only && more.length === 0 && alike.length === 1) take(place, only)
  }
  return found
}

/** `shared`: newest first */
function ofSameIds(place: Place, shared: readonly KeptAnswer[]): KeptAnswer | null {
  const [first, ...more] = shared
  if (!first || more.length === 0) return first ?? null
  const calls = digestOfCalls(callsOf(place.parts))
  const same = shared.filter((answer) => answer.calls === calls)
  return same.find(({ ordinal }) => ordinal === place.ordinal) ?? same[0] ?? null
}

/** Some clients keep an answer's words in a message of their own in front of its calls. */
function withWordsBefore(
  place: Place,
  answer: KeptAnswer,
  open: ReadonlySet<Place>,
): { place: Place; parted: readonly Place[] } {
  const before = [...open].find(({ index, count }) => index + count === place.index)
  const speaks = answer.pieces.some(({ type }) => type === 'text')
  if (!before || !speaks || textsOf(place.parts).length > 0 || callsOf(before.parts).length > 0)
    return { place, parted: [place] }
  return {
    place: {
      index: before.index,
      count: before.count + place.count,
      parts: [...before.parts, ...place.parts],
      ordinal: place.ordinal,
    },
    parted: [before, place],
  }
}

/** Compares what a client shows of an answer; each place is looked at once. */
function fingerprints(): { same(place: Place, answer: KeptAnswer): boolean } {
  const known = new Map<Place, { text: string; calls: string | null }>()
  return {
    same(place, answer) {
      const print = known.get(place) ?? {
        text: digestOfText(textsOf(place.parts)),
        calls: digestOfCalls(callsOf(place.parts)),
      }
      known.set(place, print)
      return print.text === answer.text && print.calls === answer.calls
    },
  }
}

/**
 * Everything that a provider sealed in one answer, and where it stood among the words and calls that the client got.
 * Clients that know nothing of thinking drop all of it; the provider wants it back with their next request.
 */
export interface KeptAnswer {
  /** milliseconds since 1970 */
  at: number
  /** the provider's protocol */
  of: WireProtocol
  /** provider and model, `provider.model`: seals of one are refused or of no use to another */
  by: string
  /** how many answers stood before it in the request: clients say the same words more than once */
  ordinal: number
  /** of all visible text without blanks */
  text: string
  /** of the calls' names and arguments in order; null: it has none */
  calls: string | null
  pieces: readonly KeptPiece[]
}

export type KeptPiece =
  | { type: 'thinking'; text: string; seal: Seal }
  /** `length` in UTF-16 units, `solid` of them are no white space */
  | { type: 'text'; length: number; solid: number }
  | { type: 'call'; id: string; seal: Seal | null }

/** The size that counts against the limit of a conversation, in characters. */
export const sizeOf = ({ pieces }: KeptAnswer): number =>
  pieces.reduce(
    (sum, piece) =>
      sum +
      80 +
      (piece.type === 'thinking' ? piece.text.length : 0) +
      (piece.type !== 'text' && piece.seal ? piece.seal.data.length + (piece.seal.text?.length ?? 0) : 0),
    250,
  )

interface CallFacts {
  name: string
  /** JSON as the model wrote it, or a freeform tool's text */
  arguments: string
}

/** Clients write arguments anew: their content counts, whatever the order of members. */
function digestOfCalls(calls: readonly CallFacts[]): string | null {
  if (calls.length === 0) return null
  const hash = createHash('sha256')
  for (const call of calls) hash.update(`${call.name}\0${settled(call.arguments)}\0`)
  return hash.digest('base64url').slice(0, 22)
}

function settled(json: string): string {
  try {
    return sortedJson(JSON.parse(json === '' ? '{}' : json))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return json
  }
}

/** Digest of text that comes in pieces. */
function textDigest(): { add(text: string): number; end(): string } {
  const hash = createHash('sha256')
  return {
    /** @returns how many of its characters are no white space */
    add(text) {
      const solid = withoutBlanks(text)
      hash.update(solid)
      return solid.length
    },
    end: () => hash.digest('base64url').slice(0, 22),
  }
}

export function digestOfText(texts: Iterable<string>): string {
  const digest = textDigest()
  for (const text of texts) digest.add(text)
  return digest.end()
}
