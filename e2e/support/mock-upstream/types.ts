export type Protocol = 'chat' | 'responses' | 'messages' | 'gemini'

export interface ToolCallPlan {
  name: string
  /** made up when absent */
  id?: string
  /** becomes JSON text; the input as it is where `freeform` */
  input: unknown
  /** Responses only: a custom tool, whose input is plain text */
  freeform?: boolean
  /** Responses only: for tools declared inside a namespace (Codex) */
  namespace?: string
}

export type Finish = 'stop' | 'length' | 'content-filter' | 'refusal' | 'pause-turn' | 'stop-sequence'

/** What a model says. One plan is spoken in every protocol, whole or as events. */
export interface AnswerPlan extends Delivery {
  kind: 'answer'
  text?: string
  thinking?: string
  toolCalls?: readonly ToolCallPlan[]
  /** why it ended; tool calls win over `stop` */
  finish?: Finish
  usage?: Partial<MockUsage>
  /** characters per event */
  piece?: number
}

export interface MockUsage {
  input: number
  cachedInput: number
  output: number
  reasoning: number
}

/** An error as a provider sends it; the body is in the protocol's shape unless given. */
export interface ErrorPlan {
  kind: 'error'
  status: number
  headers?: Record<string, string>
  message?: string
  body?: string | Buffer
}

/** Any response, byte for byte. */
export interface RawPlan {
  kind: 'raw'
  status?: number
  headers?: Record<string, string>
  parts: readonly RawPart[]
  /** `end` properly (default), `cut` the connection, or `hang` with it open */
  afterwards?: 'end' | 'cut' | 'hang'
}
export type RawPart = string | Buffer | { pauseMs: number } | { until: Gate }

/** Bytes in place of an HTTP response. The connection closes after them. */
export interface GarbagePlan {
  kind: 'garbage'
  bytes: string | Buffer
}

export type MockReply = AnswerPlan | ErrorPlan | RawPlan | GarbagePlan

/** Real milliseconds between a stream's last event and the end of its body. */
export type EndGap = number | 'never'

/** How an answer travels. */
export interface Delivery {
  headers?: Record<string, string>
  /** in this form, whatever was asked for */
  as?: 'json' | 'stream'
  /** real milliseconds between events */
  pauseMs?: number
  /** waits until the gate opens: before the head, or after so many events */
  hold?: { at: 'head' | number; until: Gate }
  /** ends early after so many events: connection cut, reset, or a proper end of the body without its last events */
  breakOff?: { after: number; how: 'cut' | 'reset' | 'end' }
}

export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export type Endpoint = Protocol | 'count' | 'gemini-count' | 'compact' | 'models' | 'other'

/** `answered`: everything was handed over; `broke-off`: we ended early, as told; `left`: the caller closed first. */
export type Outcome = 'answered' | 'broke-off' | 'left'

/** One request as it arrived. */
export interface MockRequest {
  /** 1, 2, … in order of arrival */
  n: number
  method: string
  path: string
  query: string
  /** lower-case names */
  headers: Readonly<Record<string, string>>
  /** names and values in turn, as sent */
  rawHeaders: readonly string[]
  body: Buffer
  /** undefined when the body is no JSON */
  json: unknown
  endpoint: Endpoint
  stream: boolean
  /** of the body, or of the path where the protocol names it there */
  model: string | null
  /** which kind of an agent's side request it is, null for a turn */
  auxiliary: string | null
  /** text of the last user message, its parts joined by newlines; null when the last message is none */
  lastUserText: string | null
  outcome: Outcome | null
  /** resolves when the exchange is over */
  over: Promise<Outcome>
  /** the same number for requests of one connection */
  connection: number
}
