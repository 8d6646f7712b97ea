import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../../../shared/config/schema.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { ErrorInput } from '../protocol/types.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import type { LocalKey } from '../base/network/local-keys.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Peer } from '../sessions/binding/peer.ts'
import type { RunTurn } from '../pipeline/turn.ts'
import type { ConnectionPeers } from './access/authenticate.ts'
import type { GivenSocket, HeldConnections } from './given-socket.ts'
import type { ModelList } from './model-list.ts'
import type { AskingClient } from './paths.ts'

/** Everything the gateway needs of the engine. It asks `config()` per request, so a reload is obeyed at once. */
export interface GatewayDeps {
  config(): Config['server']
  /** what request bodies may hold together, where it is not to be the usual (read-body.ts) */
  bodyBudgetBytes?: number
  clock: Clock
  random: Random
  log: Log
  /** clients that wait at the address already */
  held?: HeldConnections | undefined
  /** listens at the address already, and goes on listening for its owner when this gateway ends */
  given?: GivenSocket | undefined
  /**
   * A resolved turn has ended its reply; one that throws before the head is answered here, in the entry's own shape.
   */
  runTurn: RunTurn
  /** in the asking client's shape (see `modelList`) */
  listModels(asking: AskingClient): ModelList
  /** the terminal a per-terminal local key names, else null */
  terminalByKey(key: string): string | null
  /** who calls from this machine, where the system can tell */
  peers: ConnectionPeers
  /** what Prometheus reads, and the keys that open it; null: it is off */
  metrics(): MetricsPage | null
  /** null: of no request that is still recorded */
  turnReport(requestId: string): Promise<TurnReport | null>
  errorBody(entry: EntryProtocol, input: ErrorInput): Buffer
  /** a file without which nothing may run is wrong, so every call is refused until it is fixed; null: none is */
  unreadable(): 'config' | 'policy' | null
  /** calls are taken, and everything of earlier runs is there */
  ready(): boolean
  /** the control WebSocket; Host and Origin are already checked. false: not its path, nothing was touched */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** other programs that ask over MCP; without it that is closed */
  mcp?: McpDoor
  /** the dashboard's files. false: not its path, nothing was touched */
  staticPage(req: IncomingMessage, res: ServerResponse): boolean
}

export interface MetricsPage {
  keys: readonly LocalKey[]
  /** in Prometheus' text format */
  text(): Promise<string>
}

/** Streamable HTTP for programs that ask over MCP. */
export interface McpDoor {
  /** without one it is closed */
  keys(): readonly LocalKey[]
  /**
   * Answers a request whose key was right. `terminal`: its key was this terminal's; `caller`: the process that asks,
   * where the system tells. `body`: of a POST, read as JSON
   */
  answer(req: IncomingMessage, res: ServerResponse, from: McpCaller, body: unknown): Promise<void>
}
export interface McpCaller {
  /** SHA-256 of its key: what it began goes on with the same key only */
  key: string
  terminal: string | null
  caller: Peer | null
}

/** One turn's record, and the reasons of its route as sentences. */
export type TurnReport = TurnRecord & { why: readonly string[] }

export interface Gateway extends Disposable {
  readonly host: string
  /** the real one, also where the config says 0 */
  readonly port: number
  /** requests whose answer is not out yet */
  openAnswers(): number
  /** Listens no more and lets open answers run; `ended` runs when one of them has ended. */
  finish(ended: () => void): void
}
