/** `onward mcp`: the MCP server on this process's stdin and stdout. Loaded by that command alone, with the SDK. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { programId } from '../../../shared/control/proof.ts'
import { operations } from '../../../shared/operations/index.ts'
import { messageOf, OnwardError } from '../../engine/base/errors.ts'
import { inherited, readProc } from '../../engine/control/mcp/inherited.ts'
import { createMcpServer } from '../../engine/control/mcp/server.ts'
import type { Ask, McpDeps } from '../../engine/control/mcp/types.ts'
import type { Cli } from '../cli.ts'
import { withControl, type ControlCalls, type EngineTarget } from '../client.ts'
import { findTarget, noEngine } from '../engine.ts'
import { CliError } from '../exit.ts'
import { asCalled, quotedAsCalled } from '../own-lines.ts'
import type { Place } from '../place.ts'
import { askByName } from '../plain.ts'

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

interface AsksDeps {
  cli: Pick<Cli, 'env' | 'command'>
  ppid: number
  read?: typeof readProc
}

/** How the MCP server asks the engine: a connection for each call, so that it finds one that was started again. */
function asksOf(
  place: Place,
  { cli, ppid, read = readProc }: AsksDeps,
): Pick<McpDeps, 'ask' | 'askAsPerson' | 'isOwn'> {
  /** once it is known it stays */
  let terminal: string | null = null

  const withTarget = async <T>(work: (target: EngineTarget) => Promise<T>): Promise<T> => {
    try {
      const target = await findTarget(place)
      if (!target) throw await noEngine(place)
      return await work(target)
    } catch (error) {
      throw asSentence(error, cli.command())
    }
  }
  const terminalAt = async (target: EngineTarget): Promise<string | null> => {
    if (terminal !== null) return terminal
    const from = await inherited({ env: cli.env, ppid }, read)
    terminal = await withControl(target, (calls) => calls.terminalOf.query(from))
    return terminal
  }
  const asking = (calls: ControlCalls, name: keyof typeof operations, input: unknown) =>
    askByName(calls, name, operations[name].kind, input)
  return {
    // the table of operations holds name and answer together
    ask: ((name, input) =>
      withTarget(async (target) => {
        const as = programId(await terminalAt(target))
        return withControl({ ...target, as }, (calls) => asking(calls, name, input))
      })) as Ask,
    askAsPerson: ((name, input) =>
      withTarget((target) => withControl(target, (calls) => asking(calls, name, input)))) as Ask,
    isOwn: () => withTarget(async (target) => (await terminalAt(target)) !== null),
  }
}

/** A model reads it: the hint belongs to it. */
function asSentence(error: unknown, command: string): unknown {
  if (!OnwardError.isInstance(error)) return error
  const hint = error instanceof CliError && error.hint !== null ? ` ${asCalled(error.hint, command)}` : ''
  return new OnwardError(error.code, `${quotedAsCalled(error.message, command)}${hint}`, { cause: error })
}
