/**
 * A protocol's part in tools that run in Onward: declaring them, taking their calls out of an answer, answering them in
 * a second round, and putting back into later requests what the client never saw. All of it is in the client's own
 * protocol, on its bytes: conversion to a provider's protocol comes after it, as for every request.
 */
import type { Frame } from '../answer/frame.ts'
import type { WholeAnswer } from '../answer/whole-answer.ts'
import type { Edit, Span } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import type { JsonObject } from '../values.ts'

/** A tool declared to the model beside the client's own. */
export interface ToolDeclaration {
  name: string
  description: string
  /** JSON Schema of its arguments */
  parameters: JsonObject
  strict: boolean
}

export interface HiddenCall {
  /** the call's own id; where the protocol gives none (Gemini), one made of its place in the answer: `#call_0` */
  id: string
  name: string
  /** JSON as the model wrote it */
  arguments: string
}

export interface CallResult {
  call: HiddenCall
  text: string
  isError: boolean
}

/** Names of the tools that are Onward's in this HTTP call. */
export type HiddenNames = ReadonlySet<string>

/** Takes hidden calls out of one round's stream as it goes by. */
export interface RoundFilter {
  /**
   * Returns an event as the client gets it; null if nothing of it is for the client. Until a hidden call begins it is
   * the very same frame, after a scan for the call's name and nothing else; after a hidden call, indices stay
   * contiguous. The round's finish fits what is left: a plain stop if no call of the client's own remains.
   */
  frame(event: Frame): Frame | null
  /** a hidden call has begun */
  readonly began: boolean
}

/** A hidden call at its place in an answer. */
export interface PlacedCall {
  call: HiddenCall
  /** as it was there: a block, an entry of `tool_calls`, an item, a part */
  json: string
  /** how many of the client's own calls came before it in this answer */
  callsBefore: number
}

/** One round's answer, read whole. */
export interface RoundSaid {
  /** as items that can be sent back: the assistant's message with hidden calls and thinking */
  items: readonly Buffer[]
  /** visible text, without thinking */
  text: string
  hidden: readonly PlacedCall[]
  /** the client's own calls in order: ids, or names where the protocol gives no ids */
  calls: readonly string[]
}

/**
 * The items around one answer that the provider saw and the client did not: JSON texts in the client's protocol,
 * written once and put back byte for byte.
 */
export interface HiddenHistory {
  /** whole items before the answer: earlier rounds of the HTTP call with their results and user turns */
  before: readonly string[]
  /** the client's copy of the answer is a line of Onward's own, which is never sent upstream */
  filler: boolean
  /** hidden calls of the answer itself */
  calls: readonly { json: string; callsBefore: number }[]
  /** their results, as `resultsBeside` writes them: whole items or parts, depending on the protocol */
  results: readonly string[]
}

/** One answer in a client's history: assistant items in a row, including thinking and calls. */
export interface AssistantTurn {
  /** index of its first item in the request's list */
  first: number
  /** of its last */
  last: number
  /** visible text of all of it in order, without thinking and without any white space */
  text: string
  calls: readonly string[]
}

export interface ServerToolCodec {
  /** names of all tools the client declares itself, of any kind */
  clientTools(lens: RequestLens): readonly string[]
  /**
   * Returns null if tools can be declared; else the reason, in a word or two for the log (several choices asked for,
   * vendor tools that allow no others, …).
   */
  cannotDeclare(lens: RequestLens): string | null
  /** Adds them after the client's own, with the same bytes every time. */
  declare(lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[]
  filter(names: HiddenNames): RoundFilter
  /** Takes hidden calls out of a whole JSON answer and adapts its finish; returns the same buffer if there are none. */
  filterBody(body: Buffer, names: HiddenNames): Buffer
  /**
   * Responses: restores an event or a body that repeats the request to the request the client sent: without the tools
   * of these names, and with the id by which the client knows the response it continues (null: it names none). Returns
   * the same frame if nothing is repeated.
   */
  withoutEcho?(frame: Frame, names: HiddenNames, previousResponseId: string | null): Frame
  /**
   * True if a stream's bytes hold something the model produced (text, thinking, a call), by a scan: an answer that ends
   * without any is an empty one.
   */
  hasContent(chunk: Buffer): boolean
  /** `lens` reads the request the answer belongs to */
  readAnswer(answer: WholeAnswer, lens: RequestLens, names: HiddenNames): RoundSaid
  /** writes the results as whole items of the next round, in the calls' order */
  resultItems(results: readonly CallResult[]): Buffer[]
  /** writes a user's turn as an item */
  userItem(text: string): Buffer
  /**
   * Adds items after the last of the request's list.
   * @throws OnwardError `cannot-continue`
   */
  append(lens: RequestLens, items: readonly Buffer[]): Edit[]
  /** writes the results as they are added beside the client's own in its next request */
  resultsBeside(results: readonly CallResult[]): string[]
  /** all answers of the request's history, oldest first */
  turns(lens: RequestLens): AssistantTurn[]
  /**
   * Returns edits that put back what was hidden around one answer: `before` replaces the client's copy of those rounds
   * (their text at the beginning of the answer, however it was joined; their thinking), calls and results return to
   * their places. Every other byte of the client's stays, cache marks above all.
   */
  restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[]
  /**
   * Adds items after the last of the request's list by inserts alone, so that other edits of the same bytes stay valid;
   * these come last among them. Returns `[]` if the list can't be added to, if an answer the client has begun itself
   * ends it, or if the vendor takes no user words after what is last.
   */
  appendAfterLast(lens: RequestLens, items: readonly Buffer[]): Edit[]
  /**
   * Adds a line after everything else as the user's last words: the request without it is its beginning, and every
   * cache mark comes before it. Inserts alone. Returns `[]` if it would do harm (as for `appendAfterLast`, or if a
   * cache mark moves to the end by itself).
   */
  appendTimeTag(lens: RequestLens, line: string): Edit[]
  /** the client's list of tools as it is in the request; null: it has none, or an empty one */
  toolsAsSent(lens: RequestLens): Buffer | null
  /** Gives a request without tools those of an earlier request of the same client, as `toolsAsSent` returned them. */
  withTools(lens: RequestLens, tools: Buffer): Edit[]
  /** Responses: puts the results before the input of a request that names the answer by `previous_response_id` */
  resultsFor?(lens: RequestLens, results: readonly string[]): Edit[]
}

/** Removes white space before texts are compared: clients trim and join texts, but change no other characters. */
export const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * Looks for words as whole JSON strings before anything is parsed: a quoted word within a text has a backslash before
 * its quote and is not found. Takes one native search per word.
 */
export function tokenScan(words: Iterable<string>): (bytes: Buffer) => boolean {
  const tokens = Array.from(words, tokenOf)
  return (bytes) => tokens.some((token) => bytes.includes(token))
}

/** The same for a frame's data, in the text that has mostly been decoded already; a long one is not decoded for it. */
export function frameScan(words: Iterable<string>): (frame: Frame) => boolean {
  const tokens = [...words].map((word) => Buffer.from(JSON.stringify(word)).toString('latin1'))
  return (frame) =>
    frame.dataEnd - frame.dataStart > longBytes
      ? tokens.some((token) => frame.data?.includes(token, 0, 'latin1'))
      : tokens.some((token) => frame.latin1.includes(token))
}

const longBytes = 256 * 1024

/** Names of tools are few, and are searched in every request. */
const tokens = new Map<string, Buffer>()
const mostTokens = 500

function tokenOf(word: string): Buffer {
  const known = tokens.get(word)
  if (known) return known
  if (tokens.size >= mostTokens) tokens.clear()
  const token = Buffer.from(JSON.stringify(word))
  tokens.set(word, token)
  return token
}

/**
 * Returns a tool of Onward's as a protocol declares it. The same few are in every request of a session, so each is
 * written once.
 */
export function writtenOnce(write: (tool: ToolDeclaration) => object): (tool: ToolDeclaration) => Buffer {
  const written = new WeakMap<ToolDeclaration, Buffer>()
  return (tool) => {
    const known = written.get(tool)
    if (known) return known
    const bytes = Buffer.from(JSON.stringify(write(tool)))
    written.set(tool, bytes)
    return bytes
  }
}

/** All answers of a history: the assistant's items in a row are one. `said`: null for an item of another role. */
export function turnsIn(
  items: readonly Span[],
  said: (item: Span) => Pick<AssistantTurn, 'text' | 'calls'> | null,
): AssistantTurn[] {
  const found: AssistantTurn[] = []
  for (const [index, item] of items.entries()) {
    const here = said(item)
    if (!here) continue
    const before = found.at(-1)
    if (before?.last !== index - 1) found.push({ first: index, last: index, ...here })
    else {
      const [text, calls] = [before.text + here.text, [...before.calls, ...here.calls]]
      found[found.length - 1] = { first: before.first, last: index, text, calls }
    }
  }
  return found
}

/** Groups hidden calls by the number of the client's calls before them; the client now has `own` calls. */
export function callsByPlace(
  calls: HiddenHistory['calls'],
  own = Infinity,
): (place: number) => readonly HiddenHistory['calls'][number][] {
  const places = new Map<number, HiddenHistory['calls'][number][]>()
  for (const call of calls) {
    const place = Math.min(call.callsBefore, own)
    const there = places.get(place)
    if (there) there.push(call)
    else places.set(place, [call])
  }
  return (place) => places.get(place) ?? []
}

/**
 * Pattern of a JSON string with a visible character, from its opening quote on. White space alone shows nothing, and
 * Anthropic refuses it in the next request ("text content blocks must contain non-whitespace text").
 */
export const solidText = '"(?:\\\\[nrt]|\\s)*(?:[^"\\\\\\s]|\\\\[^nrt])'

/** Pattern of a JSON string without a visible character. */
export const blankText = '"(?:\\\\[nrt]|\\s)*"'

/**
 * An answer without content is never larger, even where it repeats the instructions and all tools of its request: it
 * need not be read to be told apart.
 */
export const mostEmptyBytes = 2 * 1024 * 1024

/**
 * Takes `shown` off the beginning of a text that comes in pieces, with the white space that joined it to what follows.
 * White space is not compared: clients trim and join. Null when there is nothing to take, or the text begins otherwise.
 */
export function textCutter(whole: string, shown: string): ((piece: string) => string) | null {
  const signs = withoutBlanks(shown)
  if (signs === '' || !withoutBlanks(whole).startsWith(signs)) return null
  let taken = 0
  let atJoint = true
  return (piece) => {
    if (!atJoint) return piece
    let i = 0
    for (; i < piece.length && taken < signs.length; i++) if (piece[i] === signs[taken]) taken++
    const left = piece.slice(i).trimStart()
    if (left !== '') atJoint = false
    return left
  }
}
