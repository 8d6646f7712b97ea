/** MCP over streamable HTTP, for the gateway. Loaded with the first request that has a key, and the SDK with it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { operations, type ControlApi, type OperationName } from '../../../../shared/operations/index.ts'
import { loadSentences } from '../../../../shared/sentences/load.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { McpCaller } from '../../gateway/types.ts'
import type { Programs } from '../programs.ts'
import { inherited, readProc } from './inherited.ts'
import { createMcpServer } from './server.ts'
import type { Ask } from './types.ts'

export interface McpHttpDeps {
  api: ControlApi
  programs: Programs
  version: string
  clock: Clock
  random: Pick<Random, 'uuid'>
  log: Log
}

export interface McpHttp extends Disposable {
  answer(req: IncomingMessage, res: ServerResponse, from: McpCaller, body: unknown): Promise<void>
}

/** a program that lost its connection begins anew, and what it had stays here until others need the room */
const mostSessions = 64

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  key: string
  terminal: string | null
}

export function createMcpHttp(deps: McpHttpDeps): McpHttp {
  /** the one used longest ago first */
  const sessions = new Map<string, Session>()
  const begin = async (
    { key }: McpCaller,
    terminal: string | null,
  ): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: deps.random.uuid,
      onsessioninitialized(id) {
        sessions.set(id, { transport, key, terminal })
        const [oldest] = sessions
        if (sessions.size > mostSessions && oldest) {
          sessions.delete(oldest[0])
          void oldest[1].transport.close()
        }
      },
      onsessionclosed: (id) => void sessions.delete(id),
    })
    const server = createMcpServer({
      version: deps.version,
      ask: askOf(deps.programs.contextOf(terminal)),
      askAsPerson: askOf({ api: deps.api }),
      isOwn: async () => terminal !== null,
      sentencesOf: loadSentences,
      now: deps.clock.now,
    })
    server.onerror = (error) => deps.log.debug({ error: messageOf(error) }, 'a program that asks had a problem')
    await server.connect(transport)
    return transport
  }
  return {
    async answer(req, res, from, body) {
      const terminal = await terminalOf(deps.api, from)
      const id = req.headers['mcp-session-id']
      const known = typeof id === 'string' ? sessions.get(id) : undefined
      const mine = known?.key === from.key && known.terminal === terminal ? known : undefined
      if (typeof id === 'string' && mine) {
        sessions.delete(id)
        sessions.set(id, mine)
        return handOver(mine.transport, req, res, body)
      }
      const begins = id === undefined && (Array.isArray(body) ? body : [body]).some((one) => isInitializeRequest(one))
      if (begins) return handOver(await begin(from, terminal), req, res, body)
      // as the protocol has it: 404 makes a client begin anew
      const [status, message] =
        id === undefined ? [400, 'Begin with initialize.'] : [404, 'This session is not known. Begin a new one.']
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
    },
    dispose() {
      for (const { transport } of sessions.values()) void transport.close()
      sessions.clear()
    },
  }
}

/** The SDK's own way between node:http and it brings HTTP/2 along. */
async function handOver(
  transport: WebStandardStreamableHTTPServerTransport,
  req: IncomingMessage,
  res: ServerResponse,
  body: unknown,
): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
  const { method = 'GET' } = req
  const asked = new Request('http://onward/mcp', { method, headers })
  const answer = await transport.handleRequest(asked, body === undefined ? {} : { parsedBody: body })
  res.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (!answer.body) return void res.end()
  res.flushHeaders()
  const stream = Readable.fromWeb(answer.body as ReadableStream)
  // one that leaves ends its stream, which the transport hears of
  await pipeline(stream, res).catch(() => undefined)
}

/** An agent of Onward's hears of its own session only, whichever key it has: the system shows what called. */
async function terminalOf(api: ControlApi, { terminal, caller }: McpCaller): Promise<string | null> {
  if (terminal !== null || caller === null) return terminal
  return api.terminalOf(await inherited({ env: {}, ppid: caller.pid }, readProc))
}

/** Calls the engine itself, by the rules of its router: first whether it may, then what it takes. */
function askOf({ api, check }: { api: ControlApi; check?(operation: string): void }): Ask {
  const ask = async (name: OperationName, given: unknown): Promise<unknown> => {
    check?.(name)
    const shape = operations[name].input as ((zod: typeof z) => z.ZodType) | null
    const handler = api[name] as (...args: readonly unknown[]) => Promise<unknown>
    return shape === null ? handler() : handler(await shape(z).parseAsync(given))
  }
  // the table of operations holds name and answer together
  return ask as Ask
}
