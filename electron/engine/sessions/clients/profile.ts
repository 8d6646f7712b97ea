import type { ClientKind, RequestKind } from '../../../../shared/words.ts'

/**
 * What a client's requests look like, as data. The versions are those of docs/clients.md, and every
 * row has a test. A client changes with each release, so a new habit is a new row here and nothing else.
 */
export interface ClientProfile {
  client: ClientKind
  /** any one of these says that a request is this client's */
  recognise: readonly Recognise[]
  /** this run of the client draws no screen: nothing can be typed into it */
  headless: readonly Recognise[]
  /** in order, first match wins */
  kinds: readonly KindRule[]
  /** what its main turns have, where that is known; `other` has none: a program's requests are its turns */
  main?: MainTurn
  /** messages of the user's role that start so stand behind what was said, and are the client's: not what is asked */
  behind?: string
  /** its main agent waits for its sub-agents: a main turn that begins says that none works any more */
  waitsForSubagents?: true
  /** which of its sub-agents asks, where several may work at once */
  subagent?: { header: string } | { turnMetadata: string }
  /** a turn that nobody typed into the client: its inbox began it, which programs write to */
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
 * What proves a main turn. What no rule of `kinds` names and the agent does not say is an `aside` where it asks for
 * JSON without tools, or may call none of them; and, where nothing else proves it, where it carries none of the tools
 * that its session's turns have.
 */
export interface MainTurn {
  /** the agent says so: no other rule is asked */
  says?: KindCondition
  /** it need not carry tools of its session's turns */
  shows?: KindCondition
  /** a main turn may come without tools in a session that had some, its history before it */
  toolsMayGo?: true
}

export interface KindRule {
  kind: Exclude<RequestKind, 'turn'>
  /** all of these hold */
  when: KindCondition
  /** its session id is that of a thread of its own, which nobody talks to: it makes no session */
  ownThread?: true
}

/** Texts are compared at their start, white space before it aside: pasting such words into a talk changes nothing. */
export interface KindCondition {
  header?: Recognise
  /** a field of Codex's `x-codex-turn-metadata`; `not`: it is there and says something else */
  turnMetadata?: { field: string; is: string } | { field: string; not: string }
  /** start of the first text of the last message, client's attachments aside: what stands further in shows nothing */
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
  /** start of any text of the last message, client's attachments among them */
  anyText?: string
  /** start of any text that a message of the user's role has, history included */
  everSaid?: string
  noTools?: true
  /** where its marks for the provider's cache end: with the newest message of the user's role, or before it */
  cached?: 'to-the-end' | 'before-the-end'
  /** a member of the body at this path has this value */
  body?: { path: readonly string[]; is: string | number | boolean }
}

export type WrittenRule =
  /**
   * From an opening tag at the start of a line to the last closing tag; none: to the end. To the last one, because
   * what stands between may be a file's content, which must not be able to close it and speak as the person.
   */
  | { block: string; close: string }
  /** a text that starts so is the client's from end to end; `andAfter`: and so are all later texts of the message */
  | { starts: string; andAfter?: true }
  | { is: string }
  /** a line that starts so begins what the client added, up to the end of the message */
  | { fromLine: string }
  /** the client's words around a person's: what stands between is the person's */
  | { before: string; after: readonly string[] }
  /** the client's preamble ends with the last line that is this; the rest is the person's */
  | { preamble: string; until: string }
