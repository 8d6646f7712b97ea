/** `onward acp`: an agent's process between its ACP client, which is at this process's stdin and stdout, and Onward. */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { systemClock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import { besideProxy } from '../../engine/terminals/agents/beside-proxy.ts'
import { stayConnected } from '../../engine/terminals/host/stay-connected.ts'
import { surviveErrors } from '../../engine/terminals/host/survive-errors.ts'
import { createTerminalHost } from '../../engine/terminals/host/terminal-host.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { openEngineLog } from '../../hosts/engine-log.ts'
import { CliError } from '../exit.ts'
import { personsEnvironment } from '../launch/environment.ts'
import type { Ending, RunWrappedTerminal } from '../launch/types.ts'
import { createAcpTerminal, type AcpTerminal } from './acp-terminal.ts'
import { fromAgent, fromClient, type Outgoing } from './bridge.ts'

/** The engine's death changes nothing between the client and its agent. */
export const runAcp: RunWrappedTerminal = async ({ plan, client, hostId, home, cwd, stdio }) => {
  const clock = systemClock()
  const { log, dispose: closeLog } = await openEngineLog(home)
  const [program = '', ...args] = plan.argv
  const env = { ...personsEnvironment(process.env), ...besideProxy(process.env), ...plan.env }
  // In a session of its own, as in a terminal: by that the engine knows its requests from those of its tools.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env, cwd, detached: true })
  await new Promise<void>((started, failed) => {
    child.once('spawn', started)
    child.once('error', (error) =>
      failed(new CliError('cannotRun', `${program} can’t be started: ${whyFailed(error)}.`, { cause: error })),
    )
  })
  const survived = surviveErrors(log)
  const { stdin: toAgent, stdout: ofAgent } = child
  // One that has ended takes nothing any more.
  toAgent.on('error', (error) => log.debug({ error: error.message }, 'the agent reads no more'))
  let asked: Ending['asked'] = null
  const terminal: AcpTerminal = createAcpTerminal({
    terminalId: plan.terminalId,
    pid: child.pid ?? 0,
    kill: () => child.kill('SIGTERM'),
    write(out: readonly Outgoing[]) {
      for (const { to, line } of out) (to === 'agent' ? toAgent : stdio.stdout).write(line)
    },
    onFault: (error) => log.error({ error: messageOf(error) }, 'a listener to an ACP connection failed'),
  })
  const openPty = () => {
    throw new Error('no terminal is opened here')
  }
  const host = createTerminalHost({ hostId, pid: process.pid, openPty, clock, log, onCount: () => undefined })
  const { cols, rows } = terminal
  host.adopt(terminal, { terminalId: plan.terminalId, client, argv: [...plan.argv], env, cwd, cols, rows })
  const link = stayConnected({ home, host, clock, log })

  readLines(stdio.stdin, toAgent, (line) => terminal.take(fromClient, line)).then(() => {
    asked ??= 'person'
    toAgent.end()
  }, terminal.kill)
  const answered = readLines(ofAgent, stdio.stdout, (line) => terminal.take(fromAgent, line))
  const passed = (['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const).map((signal) => {
    const pass = () => {
      asked = 'told'
      child.kill(signal)
    }
    process.on(signal, pass)
    return () => process.off(signal, pass)
  })
  try {
    const ending = await new Promise<Ending>((resolve) =>
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, asked })),
    )
    await answered.catch((error: unknown) => log.debug({ error: messageOf(error) }, 'the agent’s output broke off'))
    terminal.end(ending, asked)
    return ending
  } finally {
    for (const stop of passed) stop()
    stdio.stdin.destroy()
    // The exit is sent over the link, so it closes last.
    await new Promise((resolve) => setTimeout(resolve, 50))
    link.dispose()
    host.dispose()
    survived.dispose()
    await closeLog()
  }
}

/** Hands on whole lines, their ends included, and at the end what is left; reads no faster than the other side does. */
async function readLines(from: Readable, to: Writable, take: (line: Buffer) => void): Promise<void> {
  let parts: Buffer[] = []
  for await (const chunk of from as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      take(Buffer.concat([...parts, chunk.subarray(start, end + 1)]))
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    if (to.writableNeedDrain) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
  }
  if (parts.length > 0) take(Buffer.concat(parts))
}
