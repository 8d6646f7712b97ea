import { withoutBlanks } from '../../server-tools/types.ts'
import type { CanonicalRequest, Message, ThinkingPart, ToolCallPart, TextPart } from '../request.ts'
import { withPhases } from '../thinking/phases.ts'
import {
  digestOfText,
  type KeptAnswer,
  type KeptPiece,
  callsOf,
  matchAnswers,
  placesOf,
  textsOf,
  type AssistantMessage,
  type Match,
} from './match-answers.ts'

interface PutBack {
  request: CanonicalRequest
  /** something that was sealed in an answer of this request could not be put back */
  lost: boolean
  /** answers that the client handed back whole: it keeps them itself */
  handedBack: readonly KeptAnswer[]
}

/**
 * Returns the request with everything that its provider sealed in earlier answers and the client left out, each where
 * it stood. An answer that the client hands back whole stays as it is. `by`: the provider and model now asked;
 * `forgotten`: some answers that were kept are gone.
 */
export function putBack(
  request: CanonicalRequest,
  answers: readonly KeptAnswer[],
  by: string,
  forgotten: boolean,
): PutBack {
  const places = placesOf(request.messages)
  const matches = matchAnswers(places, answers)
  const known = new Set(matches.map(({ answer }) => answer))
  const taken = new Set(matches.flatMap(({ place }) => Array.from({ length: place.count }, (_, i) => place.index + i)))
  const unknown = places.filter(({ index, parts }) => !taken.has(index) && !parts.some(isSealed))
  // Words that the client changed: an answer stood there that can't be found any more.
  let lost = unknown.some(
    ({ ordinal }) => forgotten || answers.some((one) => one.by === by && one.ordinal === ordinal && !known.has(one)),
  )
  const handedBack: KeptAnswer[] = []
  const messages: (Message | null)[] = [...request.messages]
  let changed = false
  for (const { place, answer } of matches) {
    if (isWhole({ place, answer })) handedBack.push(answer)
    else if (answer.by !== by) lost = true
    else {
      const built = rebuilt({ place, answer })
      lost ||= built.lost
      changed = true
      messages.fill(null, place.index, place.index + place.count)
      messages[place.index] = { role: 'assistant', parts: built.parts }
    }
  }
  if (!changed) return { request, lost, handedBack }
  return { request: withPhases({ ...request, messages: messages.filter((m) => m !== null) }), lost, handedBack }
}

type Part = AssistantMessage['parts'][number]

const isSealed = (part: Part): boolean =>
  part.type === 'text'
    ? part.phase !== undefined
    : (part.type === 'thinking' || part.type === 'tool-call') && part.seal !== null

/**
 * All that was sealed is there: thinking and signatures in their members and in the order they had, phases on their
 * texts. Chat's clients keep words in front of calls, whatever the model said first.
 */
function isWhole({ place: { parts }, answer }: Match): boolean {
  const seals = new Set<string>()
  const phases = new Set<string>()
  for (const part of parts) {
    if ((part.type === 'thinking' || part.type === 'tool-call') && part.seal) seals.add(part.seal.data)
    if (part.type === 'text' && part.phase !== undefined) phases.add(part.phase)
  }
  const isThere = (piece: KeptPiece): boolean =>
    piece.type === 'text' || !piece.seal || (piece.seal.phase ? phases : seals).has(piece.seal.data)
  if (!answer.pieces.every(isThere)) return false
  const isInOrder = orderOf(answer.pieces).join() === orderOf(parts).join()
  return isInOrder || digestOfText(textsOf(parts)) !== answer.text
}

/** Kinds of what was said in a row; a client may keep a text in pieces. */
function orderOf(said: readonly (KeptPiece | Part)[]): string[] {
  const order: string[] = []
  for (const one of said) {
    if (one.type === 'thinking' && (!one.seal || one.seal.phase)) continue
    if (one.type === 'image') continue
    const kind = one.type === 'call' ? 'tool-call' : one.type === 'refusal' ? 'text' : one.type
    if (kind !== 'text' || order.at(-1) !== 'text') order.push(kind)
  }
  return order
}

function rebuilt(match: Match): { parts: Part[]; lost: boolean } {
  const { place, answer } = match
  const refuses = place.parts.some(({ type }) => type === 'refusal')
  return !refuses && digestOfText(textsOf(place.parts)) === answer.text ? asItWas(match) : asFarAsCan(match)
}

/** The words are the same: every piece comes to its place, and words that the client joined come apart again. */
function asItWas({ place: { parts }, answer }: Match): { parts: Part[]; lost: boolean } {
  const calls = callFinder(parts, answer)
  const cut = textPieces(
    parts.filter((part) => part.type === 'text'),
    answer.pieces.filter((piece) => piece.type === 'text'),
  )
  const out: Part[] = ofOthers(parts, answer)
  for (const piece of answer.pieces) {
    if (piece.type === 'thinking') out.push(thinkingOf(piece))
    else if (piece.type === 'text') out.push(...cut(piece))
    else {
      const call = calls.take(piece)
      if (call) out.push(call)
    }
  }
  out.push(...calls.left(), ...parts.filter((part) => part.type === 'image'))
  return { parts: out, lost: false }
}

/**
 * The client changed the words, its calls are known by their ids: thinking goes in front of the call it led to, and
 * what the answer began with to its beginning, where Anthropic wants it. What belonged to the words alone is left out.
 */
function asFarAsCan({ place: { parts }, answer }: Match): { parts: Part[]; lost: boolean } {
  const calls = callFinder(parts, answer)
  const front: Part[] = ofOthers(parts, answer)
  const before = new Map<string, Part[]>()
  let lost = false
  let waiting: Part[] = []
  let begun = false
  const sealed = new Map<string, ToolCallPart>()
  for (const piece of answer.pieces) {
    if (piece.type === 'thinking') {
      if (isOfText(piece)) lost = true
      else (begun ? waiting : front).push(thinkingOf(piece))
      continue
    }
    begun = true
    const call = piece.type === 'call' ? calls.take(piece) : null
    if (!call) continue
    sealed.set(call.id, call)
    before.set(call.id, waiting)
    waiting = []
  }
  lost ||= waiting.length > 0
  const rest = parts.filter((part) => part.type !== 'thinking')
  return {
    parts: [
      ...front,
      ...rest.flatMap((part): Part[] =>
        part.type === 'tool-call' ? [...(before.get(part.id) ?? []), sealed.get(part.id) ?? part] : [part],
      ),
    ],
    lost,
  }
}

const thinkingOf = ({ text, seal }: Extract<KeptPiece, { type: 'thinking' }>): ThinkingPart => ({
  type: 'thinking',
  text,
  seal,
})

/** Gemini's signature of a text, and a phase. */
const isOfText = ({ seal }: Extract<KeptPiece, { type: 'thinking' }>): boolean =>
  seal.phase !== undefined || (seal.of === 'gemini' && seal.id === 'text')

/** Thinking of the same vendor's that another answer brought into this message stays. */
function ofOthers(parts: readonly Part[], { of, pieces }: KeptAnswer): Part[] {
  const own = new Set(pieces.flatMap((piece) => (piece.type === 'thinking' ? [piece.seal.data] : [])))
  return parts.filter((part) => part.type === 'thinking' && part.seal?.of === of && !own.has(part.seal.data))
}

/** The client's own call parts by their ids; by their order where it has others. */
function callFinder(parts: readonly Part[], answer: KeptAnswer) {
  const calls = callsOf(parts)
  const ids = new Set(calls.map(({ id }) => id))
  const isKnown = answer.pieces.some((piece) => piece.type === 'call' && ids.has(piece.id))
  return {
    take({ id, seal }: Extract<KeptPiece, { type: 'call' }>): ToolCallPart | null {
      const at = isKnown ? calls.findIndex((call) => call.id === id) : 0
      const [call] = at < 0 ? [] : calls.splice(at, 1)
      return call ? { ...call, seal: call.seal?.of === answer.of ? call.seal : seal } : null
    },
    left: () => calls,
  }
}

type TextPiece = Extract<KeptPiece, { type: 'text' }>

/**
 * Cuts a client's texts into the pieces they were made of, one after the other. Where the client only trimmed or joined
 * them they are counted without blanks. A text that is one piece stays the very part, cache mark and all.
 */
function textPieces(
  texts: readonly TextPart[],
  pieces: readonly TextPiece[],
): (piece: TextPiece) => readonly TextPart[] {
  const left = [...texts]
  const exact =
    texts.reduce((sum, { text }) => sum + text.length, 0) === pieces.reduce((sum, { length }) => sum + length, 0)
  let rest = pieces.length
  return (piece) => {
    rest--
    // The last one gets whatever there is.
    if (rest === 0) return joined(left.splice(0))
    let wanted = exact ? piece.length : piece.solid
    const found: TextPart[] = []
    while (wanted > 0) {
      const part = left.shift()
      if (!part) break
      const size = exact ? part.text.length : withoutBlanks(part.text).length
      if (size <= wanted) {
        found.push(part)
        wanted -= size
        continue
      }
      const at = exact ? wanted : endOfSolid(part.text, wanted)
      const { cache: _, ...first } = part
      found.push({ ...first, text: part.text.slice(0, at) })
      left.unshift({ ...part, text: part.text.slice(at) })
      break
    }
    return joined(found)
  }
}

function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const last = parts.at(-1)
  return last && parts.length > 1 ? [{ ...last, text: parts.map(({ text }) => text).join('') }] : parts
}

/** Returns where this many characters that are no white space end, with the blanks after them. */
function endOfSolid(text: string, count: number): number {
  let seen = 0
  let at = 0
  for (; at < text.length; at++) {
    if (/\s/.test(text[at] ?? '')) continue
    if (seen === count) break
    seen++
  }
  return at
}
