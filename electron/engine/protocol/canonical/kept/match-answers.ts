import type { Message, ToolCallPart } from '../request.ts'
import { digestOfCalls, digestOfText, type KeptAnswer } from './kept-answer.ts'

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
