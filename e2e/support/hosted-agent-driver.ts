import { createRequire } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import type { RunningEngine } from './engine-process.ts'
import { evidence } from './evidence/evidence.ts'
import { keys, type AgentDriver } from './agent-driver.ts'

// CommonJS whose names Node can't detect.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless')

/** In front of the dashboard's terminal view: what it shows, and the keys it passes on. */
export function hostedDriver(
  { control }: Pick<RunningEngine, 'control'>,
  terminalId: string,
  size: { cols: number; rows: number },
): AgentDriver & { dispose(): void } {
  const shown = new Terminal({ ...size, scrollback: 0, allowProposedApi: true, logLevel: 'off' })
  const problems: string[] = []
  const watching = control.api.watchTerminal.subscribe(terminalId, {
    onData(chunk) {
      if (chunk.type === 'screen') shown.reset()
      if (chunk.type === 'screen' || chunk.type === 'data') shown.write(chunk.data)
    },
    onError: (error) => {
      problems.push(String(error))
    },
  })
  // One after the other: keys of a person never overtake each other.
  let last: Promise<unknown> = Promise.resolve()
  const write = (data: string) => {
    last = last
      .then(() => control.api.writeTerminal.mutate({ terminalId, data }))
      .catch((error: unknown) => {
        problems.push(String(error))
      })
  }
  const screen = (): string => {
    const rows = Array.from(
      { length: size.rows },
      (_, y) => shown.buffer.active.getLine(shown.buffer.active.viewportY + y)?.translateToString(true) ?? '',
    )
    return [...rows, ...problems].join('\n')
  }
  const forget = evidence(() => ({ 'screen.txt': screen() }))
  return {
    screen,
    type: write,
    press: (...names) => {
      for (const name of names) write(keys[name])
    },
    dispose() {
      forget()
      watching.unsubscribe()
      shown.dispose()
    },
  }
}

/** Hosts of terminals outlive their engine by design; a test ends those of its own home. */
export function endTerminalHosts(home: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const argv = argvOf(Number(name))
    if (argv.some((part) => part.endsWith('pty-host.js')) && argv.includes(home)) process.kill(Number(name), 'SIGTERM')
  }
}

function argvOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // it ended while we looked
    return []
  }
}
