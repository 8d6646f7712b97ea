import type { Peer } from './binding/peer.ts'
import type { ClientKind, EntryProtocol, RequestKind, Scope } from '../../../shared/words.ts'

/** The authenticated caller, decided by the gateway before anything of the body is read. */
export type Caller =
  /** per-terminal local key: names the terminal */
  | { kind: 'terminal'; terminalId: string }
  /** a key of `server.keys`, or none needed because none is configured and the peer is loopback */
  | { kind: 'local'; suffix: KeySuffix | null }

/** `::rcc-session:<tmuxSessionId>` and `::rcc-sessiond:<daemonId>` after an API key. */
export interface KeySuffix {
  tmuxSessionId: string | null
  daemonId: string | null
}

/** The process that holds the caller's end of the connection, and its terminal; asked once for each connection. */
export type FindProcess = () => Promise<Peer | null>

/**
 * The program that calls for a terminal: the agent in it, its own daemon (which runs conversations beside the terminal,
 * begun by any program), another program (one that the agent runs has its key), or one that the system doesn't show.
 */
export type CallingProgram = 'agent' | 'daemon' | 'other' | 'untold'

/** The parts of a request that identification may read. Lower-case header names; an empty value counts as absent. */
export interface RequestFacts {
  entry: EntryProtocol
  endpoint: 'generate' | 'count' | 'compact'
  headers: Readonly<Record<string, string>>
  /** the client by its own signs in the headers; null: unknown */
  recognised: ClientKind | null
  caller: Caller
  /** looks for the calling process, if it is on this machine and the system can find it; null: it can't */
  callingProcess: FindProcess | null
  model: string | null
  stream: boolean
  value(...path: string[]): unknown
  /** `leading`: those before the first message alone */
  systemTexts(limit: number, leading?: boolean): readonly string[]
  firstUserTexts(): readonly string[]
  lastUserTexts(): readonly string[] | null
  /** every user text, oldest first, decoded one at a time; without it only the first user message is looked at */
  userTexts?(): Iterable<string>
  /** texts of each of the messages before the one that is to be answered, the last of them, oldest first */
  history?(): readonly (readonly string[])[]
  toolCount(): number | null
  /** names of the declared tools */
  toolNames(): readonly string[]
  /** answers of the model in its history */
  answerCount(): number
  /** where its marks for the provider's cache end in the conversation; null: it has no marks there */
  cached(): 'to-the-end' | 'before-the-end' | null
  historyDigest(): string
}

/** An identity, and which turn of its session the request is. */
export interface TurnIdentity extends Identity {
  /** the client asks for the same turn again */
  retry: boolean
  /** names it; absent or null: no turn that could come again */
  turn?: string | null
}

export interface Identity {
  sessionId: string | null
  /** which rule gave the id, for the record */
  sessionSource: string | null
  client: ClientKind
  kind: RequestKind
  /** which of the client's sub-agents asks, if the client says; left out: none, or an unknown one */
  subagent?: string
  terminalId: string | null
  scope: Scope | null
  /** why there is no scope, when a terminal was named but refused */
  scopeProblem: { code: string; message: string } | null
  /**
   * which markers of its message act. Left out: those a person may have written. `typed`: those that were seen typed,
   * since nothing else proves a person's hand. `none`: another program than the terminal's agent asks
   */
  markers?: 'typed' | 'none'
  /** a conversation bound to a registered client by daemonId never serves stopMessage */
  registeredClientOnly: boolean
}
