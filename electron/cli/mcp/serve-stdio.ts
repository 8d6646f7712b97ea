/** `onward mcp`: the MCP server on this process's stdin and stdout. Loaded by that command alone, with the SDK. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { messageOf } from '../../engine/base/errors.ts'
import { createMcpServer } from '../../engine/control/mcp/server.ts'
import type { Cli } from '../cli.ts'
import type { Place } from '../place.ts'
import { asksOf } from './asks.ts'

/** Resolves when the client has left, or `until` is aborted. Nothing but the protocol goes to stdout. */
export async function serveStdio(
  place: Place,
  cli: Pick<Cli, 'env' | 'command' | 'version' | 'now' | 'err' | 'parts'>,
  { stdin, stdout, ppid }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; ppid: number },
  until: AbortSignal,
): Promise<void> {
  const server = createMcpServer({
    ...asksOf(place, { cli, ppid }),
    version: cli.version,
    sentencesOf: cli.parts.sentencesOf,
    now: cli.now,
  })
  server.onerror = (error) => cli.err(`onward mcp: ${messageOf(error)}\n`)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = () => void server.close()
  // The SDK does not end by itself when its client has.
  stdin.once('end', close)
  stdin.once('close', close)
  until.addEventListener('abort', close, { once: true })
  await server.connect(new StdioServerTransport(stdin, stdout))
  await closed
}
