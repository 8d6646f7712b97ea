/** The transparent wrapper: the agent in a PTY of this process, between the person's own terminal and the engine. */
import { systemClock } from '../../engine/base/clock.ts'
import { besideProxy } from '../../engine/terminals/agents/beside-proxy.ts'
import { stayConnected } from '../../engine/terminals/host/stay-connected.ts'
import { surviveErrors } from '../../engine/terminals/host/survive-errors.ts'
import { createTerminalHost } from '../../engine/terminals/host/terminal-host.ts'
import { openPtyWith } from '../../engine/terminals/open-pty.ts'
import { openEngineLog } from '../../hosts/engine-log.ts'
import { personsEnvironment } from './environment.ts'
import type { Ending, RunWrappedTerminal } from './types.ts'

/** Bytes, size, signals and exit code pass; the engine's death changes nothing for the agent. */
export const runWrappedTerminal: RunWrappedTerminal = async ({ plan, client, hostId, home, cwd, stdio }) => {
  const { stdin, stdout } = stdio
  const clock = systemClock()
  const { log, dispose: closeLog } = await openEngineLog(home)
  const openPty = await openPtyWith({ clock, log, answerQueries: false })
  const spec = {
    terminalId: plan.terminalId,
    client,
    argv: [...plan.argv],
    cwd,
    env: { ...personsEnvironment(process.env), ...besideProxy(process.env), ...plan.env },
    cols: stdout.columns ?? 80,
    rows: stdout.rows ?? 24,
  }
  const pty = openPty(spec)
  const host = createTerminalHost({ hostId, pid: process.pid, openPty, clock, log, onCount: () => undefined })
  host.adopt(pty, spec)

  const survived = surviveErrors(log)
  const wasRaw = stdin.isRaw ?? false
  stdin.setRawMode?.(true)
  stdin.resume()
  const typed = (bytes: Buffer) => pty.typed(bytes)
  stdin.on('data', typed)
  const resize = () => {
    pty.resize(stdout.columns ?? 80, stdout.rows ?? 24)
  }
  stdout.on('resize', resize)
  const drained = () => pty.output.resume()
  stdout.on('drain', drained)
  const output = pty.output.onData((bytes) => {
    if (!stdout.write(bytes)) pty.output.pause()
  })
  // Ctrl Z: the agent can't stop itself as the leader of its own terminal, so we stop, and wake it with us.
  const stopped = pty.onSuspend(() => {
    stdin.setRawMode?.(false)
    let awake = false
    const wake = () => {
      if (awake) return
      awake = true
      process.off('SIGCONT', wake)
      stdin.setRawMode?.(true)
      resize()
      pty.signal('SIGCONT')
    }
    process.on('SIGCONT', wake)
    process.kill(0, 'SIGTSTP')
    // without a shell that does job control the signal stops no process
    clock.after(300, wake)
  })
  const link = stayConnected({ home, host, clock, log })
  // The terminal window was closed, or this process got a signal to end: the agent gets the same.
  const passed = (['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const).map((signal) => {
    const pass = () => pty.signal(signal)
    process.on(signal, pass)
    return () => process.off(signal, pass)
  })
  try {
    return await new Promise<Ending>((resolve) =>
      pty.onExit(() => resolve({ ...(pty.ended ?? { exitCode: null, signal: null }), asked: pty.asked })),
    )
  } finally {
    for (const stop of passed) stop()
    stopped.dispose()
    output.dispose()
    stdin.off('data', typed)
    stdout.off('resize', resize)
    stdout.off('drain', drained)
    stdin.setRawMode?.(wasRaw)
    stdin.pause()
    // The exit is sent over the link, so it closes last.
    await new Promise((resolve) => setTimeout(resolve, 50))
    link.dispose()
    host.dispose()
    survived.dispose()
    await closeLog()
  }
}
