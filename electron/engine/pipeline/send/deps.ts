import type { Clock } from '../../base/clock.ts'
import type { Redactor } from '../../base/redact.ts'
import type { Transport } from '../../providers/types.ts'
import type { LimitReport } from '../../router/limits/types.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from '../../router/types.ts'
import type { RoundSteps } from '../answer/chain.ts'
import type { PreparedRequest } from '../request/upstream-request.ts'
import type { Turn } from '../turn.ts'
import type { Reply } from '../types.ts'

/** Where an answer goes. */
export interface AnswerClient extends Pick<Reply, 'onDrain' | 'onClose'> {
  /** absent: it is told the answer of one round */
  rounds?: RoundSteps
  /** the request is needed until the answer is over; absent: its bytes go once no other provider can be asked */
  keepsRequest?: boolean
  /** the end of what came was kept back from it; absent: it never is */
  lacksEnd?(): boolean
}

export interface SendDeps {
  clock: Clock
  transport: Transport
  /** `tried`: what failed in this turn. @throws OnwardError `no-route` | `all-resting` */
  choose(ask: RouteAsk, tried: readonly Tried[]): RouteChoice
  /** whether some provider could take it, after what failed; changes nothing */
  hasRoute(ask: RouteAsk, tried: readonly Tried[]): boolean
  /** images are described to a model that can't see them (vision_auto) */
  describesImages?(): boolean
  /** names the client's own credential for vendors of its protocol; null: it sends none but Onward's keys */
  credentialOf(turn: Turn): string | null
  /**
   * `conversion` is there when the provider speaks another protocol than the client. A promise where it takes its time.
   * @throws OnwardError (400) for what can't be said in it
   */
  prepare(turn: Turn, choice: RouteChoice): PreparedRequest | Promise<PreparedRequest>
  /** takes out what Onward knows of secrets, and what these request headers hold of them */
  redactor(requestHeaders: Readonly<Record<string, string>>): Redactor
  responseHeaders(headers: Record<string, string | string[]>): Record<string, string | string[]>
  /** tells the router how a candidate did. @returns what a refusal told of a limit */
  report(ask: RouteAsk, choice: RouteChoice, outcome: RouteOutcome): LimitReport | null
}
