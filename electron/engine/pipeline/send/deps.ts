import type { Clock } from '../../base/clock.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { Transport } from '../../providers/types.ts'
import type { LimitReport } from '../../router/limits/types.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from '../../router/types.ts'
import type { RoundSteps } from '../answer/chain.ts'
import type { PreparedRequest } from '../request/upstream-request.ts'
import type { Turn, Reply } from '../turn.ts'

/** The receiver of an answer. */
export interface AnswerClient extends Pick<Reply, 'onDrain' | 'onClose'> {
  /** absent: the answer has one round */
  rounds?: RoundSteps
  /** the request is needed until the answer is over; absent: its bytes go once no other provider can be asked */
  keepsRequest?: boolean
  /** true if the end of what came was kept back from it; absent: it never is */
  lacksEnd?(): boolean
}

export interface SendDeps {
  clock: Clock
  transport: Transport
  /** `tried`: the choices that failed in this turn. @throws OnwardError `no-route` | `all-resting` */
  choose(ask: RouteAsk, tried: readonly Tried[]): RouteChoice
  /** true if some provider could take it, after those that failed; changes nothing */
  hasRoute(ask: RouteAsk, tried: readonly Tried[]): boolean
  /** images are described to a model that can't see them (vision_auto) */
  describesImages?(): boolean
  /** names the client's own credential for vendors of its protocol; null: it sends only Onward's keys */
  credentialOf(turn: Turn): string | null
  /**
   * `conversion` is set when the provider speaks another protocol than the client. Returns a promise where it takes
   * time.
   * @throws OnwardError (400) for what can't be said in it
   */
  prepare(turn: Turn, choice: RouteChoice): PreparedRequest | Promise<PreparedRequest>
  /** takes out the secrets that Onward knows, and those in these request headers */
  redactor(requestHeaders: Readonly<Record<string, string>>): Redactor
  responseHeaders(headers: Record<string, string | string[]>): Record<string, string | string[]>
  /** tells the router how a candidate did. @returns the limit that a refusal names */
  report(ask: RouteAsk, choice: RouteChoice, outcome: RouteOutcome): LimitReport | null
}
