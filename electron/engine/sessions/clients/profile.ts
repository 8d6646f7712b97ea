import type { ClientKind, RequestKind } from '../../../../shared/words.ts'

/**
 * The looks of a client's requests, as data. The versions are those of docs/clients.md, and every row has a test. A
 * client changes with each release, so a new habit is a new row here and nothing else.
 */
export interface ClientProfile {
  client: ClientKind
  /** any one of these proves that a request is this client's */
  recognise: readonly Recognise[]
  /** this run of the client draws no screen: nothing can be typed into it */
  headless: readonly Recognise[]
  /** in order, first match wins */
  kinds: readonly KindRule[]
  /** the marks of its main turns, if known; `other` has none: a program's requests are its turns */
  main?: MainTurn
  /** user-role messages that start so come after the person's and are the client's: not what is asked */
  behind?: string
  /** its main agent waits for its sub-agents: when a main turn begins, none works any more */
  waitsForSubagents?: true
  /** which of its sub-agents asks, where several may work at once */
  subagent?: { header: string } | { turnMetadata: string }
  /** a turn that was not typed into the client: its inbox began it, which programs write to */
  fromInbox?: KindCondition
  /** what the client writes into user messages by itself */
  written: readonly WrittenRule[]
}

/** A header (lower-case name) that is there, and starts with, contains, is or is not a text. */
export interface Recognise {
  header: string
  starts?: string
  has?: string
  is?: string
  not?: string
}

/**
 * Proof of a main turn. A request that no rule of `kinds` matches and that the agent does not declare is an `aside` if
 * it asks for JSON without tools, or may call none of them; and, if nothing else proves it, if it carries none of the
 * tools that its session's turns have.
 */
export interface MainTurn {
  /** the agent declares it: no other rule is checked */
  says?: KindCondition
  /** a turn that matches need not carry tools of its session's turns */
  shows?: KindCondition
  /** a main turn may come without tools in a session that had some, its history before it */
  toolsMayGo?: true
}

export interface KindRule {
  kind: Exclude<RequestKind, 'turn'>
  /** all of these hold */
  when: KindCondition
  /** its session id is that of a thread of its own, in which no person talks: it makes no session */
  ownThread?: true
}

/** Texts are compared at their start, white space before it aside: pasting such words into a talk changes nothing. */
export interface KindCondition {
  header?: Recognise
  /** a field of Codex's `x-codex-turn-metadata`; `not`: it is there and has another value */
  turnMetadata?: { field: string; is: string } | { field: string; not: string | readonly string[] }
  /** start of the first text of the last message, client's attachments aside; later texts prove nothing */
  opens?: string
  /** start of the last text of the last message, client's attachments aside */
  user?: string
  /** ... and these words further on in it */
  userHas?: string
  /** that whole text */
  userIs?: string
  /** start of any system text */
  system?: string
  /** start of a system text before the first message */
  leads?: string
  /** within the first characters of any system text */
  systemHas?: string
  /** start of any text of the last message, client's attachments included */
  anyText?: string
  /** start of any text in a user-role message, history included */
  everSaid?: string
  noTools?: true
  /** where its marks for the provider's cache end: with the newest message of the user's role, or before it */
  cached?: 'to-the-end' | 'before-the-end'
  /** a member of the body at this path has this value */
  body?: { path: readonly string[]; is: string | number | boolean }
}

export type WrittenRule =
  /**
   * From an opening tag at the start of a line to the last closing tag; without one to the end. To the last one,
   * because the text between may be a file's content, which must not be able to close it and speak as the person.
   */
  | { block: string; close: string }
  /** a text that starts so is the client's from end to end; `andAfter`: and so are all later texts of the message */
  | { starts: string; andAfter?: true }
  | { is: string }
  /** a line that starts so begins what the client added, up to the end of the message */
  | { fromLine: string }
  /** the client's words around a person's: the text between is the person's */
  | { before: string; after: readonly string[] }
  /** the client's preamble ends with the last line that is this; the rest is the person's */
  | { preamble: string; until: string }
