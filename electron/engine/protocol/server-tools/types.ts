/**
 * What a protocol knows of tools that run in Onward: to declare them, to take their calls out of an answer, to answer
 * them in a second round, and to put back into later requests what the client never saw. All of it in the client's own
 * protocol, on its bytes: conversion to a provider's comes after it, as for every request.
 */
import type { Frame } from '../answer/frame.ts'
import type { WholeAnswer } from '../answer/whole-answer.ts'
import type { Edit } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import type { JsonObject } from '../values.ts'

/** A tool as it is declared to the model, beside the client's own. */
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
   * An event as the client gets it; null where nothing of it is for the client. Until a hidden call begins it is the
   * very same frame, after a scan for its name and nothing else; behind one, indices stay contiguous. The round's
   * finish says what is left: a plain stop where no call of the client's own remains.
   */
  frame(event: Frame): Frame | null
  /** a hidden call has begun */
  readonly began: boolean
}

/** A hidden call where it stood in an answer. */
export interface PlacedCall {
  call: HiddenCall
  /** as it stood there: a block, an entry of `tool_calls`, an item, a part */
  json: string
  /** how many of the client's own calls stood before it in this answer */
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
 * What the provider saw around one answer and the client did not. JSON texts in the client's protocol, written once and
 * put back byte for byte.
 */
export interface HiddenHistory {
  /**
   * whole items that stand in front of the answer: earlier rounds of the HTTP call with their results and user turns
   */
  before: readonly string[]
  /** what the client saw of the answer is a line of Onward's own, which never goes up */
  filler: boolean
  /** hidden calls of the answer itself */
  calls: readonly { json: string; callsBefore: number }[]
  /** their results, as `resultsBeside` makes them; whole items or parts, as the protocol has it */
  results: readonly string[]
}

/** One answer in a client's history: assistant items in a row, thinking and calls among them. */
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
   * null: tools can be declared; else why not, in a word or two for the log (several choices asked for, vendor tools
   * that bear no others, …)
   */
  cannotDeclare(lens: RequestLens): string | null
  /** Puts them behind the client's own, the same bytes every time. */
  declare(lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[]
  filter(names: HiddenNames): RoundFilter
  /** a whole JSON answer without hidden calls, its finish as it is without them; the same buffer when there are none */
  filterBody(body: Buffer, names: HiddenNames): Buffer
  /**
   * Responses: an event or a body whose copy of the request is what the client sent: without the tools of these names,
   * and under the id by which it knows the response it goes on from (null: it names none). The same frame where nothing
   * is repeated.
   */
  withoutEcho?(frame: Frame, names: HiddenNames, previousResponseId: string | null): Frame
  /**
   * Whether a stream's bytes hold something the model produced (text, thinking, a call), by a scan: an answer that ends
   * without any is an empty one.
   */
  hasContent(chunk: Buffer): boolean
  /** `lens` reads the request the answer belongs to */
  readAnswer(answer: WholeAnswer, lens: RequestLens, names: HiddenNames): RoundSaid
  /** the results as whole items of the next round, in the calls' order */
  resultItems(results: readonly CallResult[]): Buffer[]
  /** a user's turn as an item */
  userItem(text: string): Buffer
  /** Puts items behind the last of the request's list. @throws OnwardError `cannot-continue` */
  append(lens: RequestLens, items: readonly Buffer[]): Edit[]
  /** the results as they stand beside the client's own in its next request */
  resultsBeside(results: readonly CallResult[]): string[]
  /** all answers of the request's history, oldest first */
  turns(lens: RequestLens): AssistantTurn[]
  /**
   * Edits that put back what was hidden around one answer: `before` takes the place of the client's copy of those
   * rounds (their text at the beginning of the answer, however it was joined; their thinking), calls and results come
   * in where they were. Every other byte of the client's stays, cache marks above all.
   */
  restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[]
  /**
   * Puts items behind the last of the request's list by inserts alone, so that other edits of the same bytes still
   * hold; these come last among them. `[]` where the list can't be added to, an answer the client has begun itself
   * stands at its end, or the vendor takes no words of the user's behind what stands there.
   */
  appendAfterLast(lens: RequestLens, items: readonly Buffer[]): Edit[]
  /**
   * Puts a line behind everything else as the user's last words: the request without it is its beginning, and every
   * cache mark stands before it. Inserts alone. `[]` where it would do harm (as `behind`, or a cache mark that moves to
   * the end by itself).
   */
  appendTimeTag(lens: RequestLens, line: string): Edit[]
  /** the client's list of tools as it stands in the request; null: it has none, or an empty one */
  toolsAsSent(lens: RequestLens): Buffer | null
  /** Gives a request that has no tools those of an earlier one of the same client, as `toolsAsSent` told them. */
  withTools(lens: RequestLens, tools: Buffer): Edit[]
  /** Responses: a request that names the answer by `previous_response_id` gets its results in front of its input */
  resultsFor?(lens: RequestLens, results: readonly string[]): Edit[]
}

/** How text is compared: clients trim and join texts, none changes other signs. */
export const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '')
