/**
 * The parts of a tool that runs in Onward. It sees a call or a turn independent of the protocol and returns a plan; it
 * never sees a wire format, a header or a socket. A new one is a folder here and one line in assembly/servertools.ts.
 */
import type { ClientKind, EntryProtocol, RequestKind, Scope } from '../../../shared/words.ts'
import type { HiddenCall, ToolDeclaration } from '../protocol/server-tools/types.ts'

/** The turn a tool runs in. */
export interface TurnView {
  requestId: string
  sessionId: string | null
  scope: Scope | null
  terminalId: string | null
  client: ClientKind
  entry: EntryProtocol
  kind: RequestKind
  model: string | null
}

export interface ToolCall extends HiddenCall {
  /** the arguments read as JSON; `{}` when the model wrote none, null when it wrote no JSON object */
  input: Readonly<Record<string, unknown>> | null
}

export interface ToolContext {
  turn: TurnView
  /** rounds before this one in the same answer */
  depth: number
  /** the client left, or the time of all rounds is over */
  signal: AbortSignal
}

/** The outcome of a call. */
export type ToolPlan =
  /** a result the model reads, in a second round. `note`: what was done, for the timeline; never the result itself */
  | {
      kind: 'result'
      text: string
      isError?: boolean
      note?: string
      /** of an error, for the timeline and the log; never of what was asked or answered */ failure?: {
        code: string
        message: string
      }
    }
  /**
   * No second round for this call's own sake: the answer ends, and `text` is delivered to the agent as its next
   * message. `result` is what stands for the call in the history.
   */
  | { kind: 'continue'; text: string; result: string; said: string }

/**
 * A tool that models call. If the answer has no text of the model's own, the person sees what the tool did: “set an
 * alarm for 14:30”.
 */
export interface CalledTool {
  trigger: 'tool_call'
  name: string
  /** other names model families know it by: a client's own tool of such a name wins, a call by it is taken */
  aliases: readonly string[]
  about: string
  onByDefault: boolean
  /** `every-turn`: also beside no tools of the client's; `with-tools`: as config `servertools.declare` says */
  declared: 'every-turn' | 'with-tools'
  /** its calls are kept from clients also where it is not declared or is off; not where the client has its own */
  neverShown?: true
  declaration(): ToolDeclaration
  /** true if a session that begins now gets it */
  offered(turn: TurnView): boolean
  /** why it could do nothing though it is on; null: it can */
  problem(): string | null
  /** calls of one answer run one after the other, because each may see what the one before did */
  inOrder: boolean
  /** how long a call may take */
  timeoutMs(): number
  /** A throw becomes `{ok:false, retryable:true, error}` for the model. */
  run(call: ToolCall, context: ToolContext): Promise<ToolPlan>
  /** a few words about its calls, e.g. “used the clock” */
  did: string
}

/** How a round of an answer ended, for automatic ones. */
export interface RoundView {
  turn: TurnView
  depth: number
  finish: 'stop' | 'length'
  /** it had no text, no thinking and no call */
  empty: boolean
  clientLeft: boolean
  /** an automatic one has asked for a further round already: there is no other, but of those that may repeat it */
  again: boolean
  /** the client gets the answer as it comes */
  streaming: boolean
  /** ends when the client leaves; created on first use, since hardly any tool waits */
  signal(): AbortSignal
}

/** The facts by which automatic tools decide whether they may have something to say. */
export type RoundEnding = Pick<RoundView, 'finish' | 'empty' | 'streaming'>

/** Reacts to the end of an answer. */
export interface AutomaticTool {
  trigger: 'auto'
  name: string
  about: string
  onByDefault: boolean
  phase: 'answer-ended'
  /** smaller ones are asked first; the first that says something ends the asking */
  priority: number
  problem(): string | null
  /**
   * true if an answer of this turn may have to be kept open after its end, decided when it begins; absent: it never is
   */
  mayHold?(turn: TurnView): boolean
  /** false: it has nothing to say of a first round that ended so; absent: it has to be asked */
  mayReact?(turn: TurnView, end: RoundEnding): boolean
  /** it may ask for further rounds as long as the HTTP call has time, because each has a cause of its own */
  repeats?: true
  /**
   * null: nothing; `reenter`: a user's turn that is sent within the same HTTP call; `gave-up`: its attempt has not
   * helped
   */
  react(round: RoundView): Promise<Reaction | null>
}

/** The fate of a further round: it began to reach the client, or it did not. One of the two is called, once. */
export interface RoundWatch {
  began(): void
  failed(why: 'upstream-failed' | 'client-left'): void
}

export type Reaction =
  | { kind: 'reenter'; text: string; note: string; watch?: RoundWatch }
  | { kind: 'gave-up'; code: string; message: string }

/**
 * Looks at a request before it is sent upstream. The pipeline does the work, since it knows the request; this only
 * names the tool.
 */
export interface RequestTool {
  trigger: 'auto'
  name: string
  about: string
  onByDefault: boolean
  phase: 'request'
  problem(): string | null
}

export type Servertool = CalledTool | AutomaticTool | RequestTool
