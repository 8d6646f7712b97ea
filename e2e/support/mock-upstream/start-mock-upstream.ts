/**
 * A model provider made of scripts, for end-to-end tests: OpenAI Chat Completions, OpenAI Responses, Anthropic
 * Messages, Google generateContent, counting and models on 127.0.0.1, any free port.
 *
 *     const mock = await startMockUpstream()
 *     mock.queue(callTool('shell', { command: ['ls'] }), say('Done.'))      // one per turn, in order
 *     mock.script((request) => request.lastUserText === 'slow' ? say('…', { pauseMs: 50 }) : undefined)
 *     …point a provider at `mock.baseUrl` (add `/v1` for OpenAI types)…
 *     const first = await mock.turn(1)                                      // waits until it came
 *     expect(first.body.includes('<**')).toBe(false)
 *     expect(mock.problems).toEqual([])                                     // in every test
 *     await mock.dispose()
 *
 * - A turn is answered by `script`, else by the next of `queue`, else by `otherwise`. JSON or SSE is what it asked for.
 * - Side requests of agents (titles, compaction, counts, warm-up …) are told apart and answered without the script;
 *   `{ auxiliary: 'script' }` turns that off, `'may-script'` where the script has an answer.
 * - The body of a stream ends at once behind its last event, somewhat later, or never: `gaps`.
 * - Replies: `say`, `callTool`, `fail`, `raw`, `garbage`; delivery options `pauseMs`, `hold` (a `gate()`), `breakOff`.
 * - `problems` holds what a real provider would refuse (shape, orphaned tool results, missing credential) and what it
 *   must never see (Onward's own headers and key suffixes). `check` adds a test's own rules.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { checkRequest } from './check-request.ts'
import { recordRequest, type Recording } from './record-request.ts'
import { say } from './replies.ts'
import { modelsBody, respond, respondAuxiliary } from './respond.ts'
import { seed } from '../../../shared/testing/runs.ts'
import { seeded } from '../seeded.ts'
import type { Out } from './deliver.ts'
import type { EndGap, MockReply, MockRequest } from './types.ts'
import { waitingRoom } from './waiting-room.ts'
import { evidence } from '../evidence/evidence.ts'

export interface MockOptions {
  /** when given, every other credential is answered 401 */
  keys?: readonly string[]
  models?: readonly string[]
  /** `script`: from the script and the queue, as a turn; `may-script`: the script may, the queue is for turns */
  auxiliary?: 'answer' | 'script' | 'may-script'
  /**
   * One of them, by the run's seed, stands between the last event of each stream and the end of its body: real
   * providers leave such gaps, and nobody may wait for the end of an answer that is whole. Clients that read a body to
   * its end by themselves ask for `[0]`.
   */
  gaps?: readonly [EndGap, ...EndGap[]]
  /** further findings on a request, as sentences */
  check?(request: MockRequest): readonly string[]
}

export const usualGaps = [0, 2, 20, 200, 500, 'never'] as const

export type Script = (request: MockRequest) => MockReply | undefined | Promise<MockReply | undefined>

export interface MockUpstream {
  /** `http://127.0.0.1:<port>`, without `/v1` */
  readonly baseUrl: string
  readonly port: number
  readonly requests: readonly MockRequest[]
  /** requests that are no side requests, oldest first */
  turns(): MockRequest[]
  readonly problems: readonly string[]
  queue(...replies: MockReply[]): void
  script(answer: Script): void
  otherwise: MockReply
  /** the nth turn, from 1; waits for it */
  turn(n: number, timeoutMs?: number): Promise<MockRequest>
  /** waits until `find` finds something; looks again at every request and end of a request */
  waitFor<T>(what: string, find: (requests: readonly MockRequest[]) => T | undefined, timeoutMs?: number): Promise<T>
  /** nobody listens at its port any more, until `accept` */
  refuse(): Promise<void>
  accept(): Promise<void>
  dispose(): Promise<void>
}

export async function startMockUpstream(options: MockOptions = {}): Promise<MockUpstream> {
  const requests: MockRequest[] = []
  const problems: string[] = []
  const queued: MockReply[] = []
  const connections = new Map<Socket, number>()
  let connectionCount = 0
  const gaps = seeded(seed)
  let script: Script = () => undefined
  const room = waitingRoom(() => requests)
  const turns = (): MockRequest[] =>
    requests.filter((r) => r.auxiliary === null && ['chat', 'responses', 'messages', 'gemini'].includes(r.endpoint))

  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (req, res) => {
    read(req)
      .then(
        (body) => answer(req, res, body),
        () => undefined,
      )
      .catch((error: unknown) => {
        problems.push(`the mock itself failed: ${error instanceof Error ? error.stack : String(error)}`)
        res.destroy()
      })
  })
  server.on('connection', (socket: Socket) => {
    connections.set(socket, ++connectionCount)
    socket.on('close', () => connections.delete(socket))
  })
  server.on('upgrade', (_req, socket) =>
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  )

  async function answer(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
    const recording = recordRequest(req, body, requests.length + 1, connections.get(req.socket) ?? 0)
    const { request } = recording
    requests.push(request)
    const found = [...checkRequest(request, `127.0.0.1:${mock.port}`), ...(options.check?.(request) ?? [])]
    problems.push(...found.map((sentence) => `request ${request.n} ${request.method} ${request.path}: ${sentence}`))
    const out = outOf(res, recording, room.look, gaps.pick(options.gaps ?? usualGaps))
    room.look()
    if (options.keys && !options.keys.includes(credentialOf(request)))
      return respond(request, { kind: 'error', status: 401, message: 'invalid key' }, out)
    if (request.endpoint === 'models') {
      const list = JSON.stringify(
        modelsBody(options.models ?? ['mock-model'], request.headers['anthropic-version'] !== undefined),
      )
      return void res.writeHead(200, { 'content-type': 'application/json' }).end(list)
    }
    if (request.endpoint === 'other') {
      problems.push(`request ${request.n}: nothing is served at ${request.method} ${request.path}`)
      return respond(request, { kind: 'error', status: 404, message: 'not found' }, out)
    }
    const { auxiliary = 'answer' } = options
    const isTurn = request.auxiliary === null
    const reply =
      (isTurn || auxiliary !== 'answer' ? await script(request) : undefined) ??
      (isTurn || auxiliary === 'script' ? queued.shift() : undefined) ??
      (isTurn ? mock.otherwise : undefined)
    if (reply) return respond(request, reply, out)
    return respondAuxiliary(request, request.auxiliary ?? 'turn', out)
  }

  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of connections.keys()) socket.destroy()
    })

  await listen(0)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const forget = evidence(() => ({ 'provider.txt': [...requests.map(lineOf), ...problems].join('\n') }))
  const mock: MockUpstream = {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    problems,
    turns,
    queue: (...replies) => {
      queued.push(...replies)
    },
    script: (next) => {
      script = next
    },
    otherwise: say('Done.'),
    turn: (n, timeoutMs) => room.waitFor(`turn ${n}`, () => turns()[n - 1], timeoutMs),
    waitFor: room.waitFor,
    refuse: close,
    accept: () => listen(port),
    dispose() {
      forget()
      room.dispose()
      return close()
    },
  }
  return mock
}

const lineOf = ({ n, model, auxiliary, lastUserText, outcome }: MockRequest): string =>
  `${n} ${model ?? ''} ${auxiliary ?? 'turn'} ${JSON.stringify(lastUserText)} ${outcome}`

function read(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => resolve(Buffer.concat(chunks)))
    req.on('error', reject)
  })
}

function outOf(res: ServerResponse, { end }: Recording, look: () => void, gap: EndGap): Out {
  let brokenOff = false
  let said = false
  const closed = new Promise<void>((resolve) =>
    res.on('close', () => {
      end(brokenOff ? 'broke-off' : said || res.writableFinished ? 'answered' : 'left')
      look()
      resolve()
    }),
  )
  return {
    res,
    closed,
    gap,
    said: () => {
      said = true
    },
    brokenOff: () => {
      brokenOff = true
    },
  }
}

const credentialOf = ({ headers }: MockRequest): string =>
  headers['x-api-key'] ?? headers['x-goog-api-key'] ?? (headers['authorization'] ?? '').replace(/^Bearer /, '')
