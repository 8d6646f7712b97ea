/** Keeps the machine from going to sleep by a program of each system; it ends with the engine, however that ends. */
import { spawn } from 'node:child_process'
import type { EngineHost } from '../engine/host.ts'

type Spawn = (
  program: string,
  args: readonly string[],
) => {
  stdin: { end(): void } | null
  stderr: { on(event: 'data', listener: (data: Buffer) => void): unknown } | null
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: (code: number | null) => void): unknown
  kill(): unknown
}

/** ES_CONTINUOUS | ES_SYSTEM_REQUIRED, for as long as the thread that said it lives. */
const windowsScript =
  '$t = Add-Type -PassThru -Namespace Onward -Name Power -MemberDefinition \'[DllImport("kernel32.dll")] ' +
  "public static extern uint SetThreadExecutionState(uint flags);'; " +
  '[void]$t::SetThreadExecutionState(2147483649); [void][Console]::In.ReadToEnd()'

/** @returns program and arguments; it lets go when its stdin ends, or the process `pid`. null: the system has none */
export function awakeProgram(platform: NodeJS.Platform, pid: number): readonly [string, ...string[]] | null {
  switch (platform) {
    case 'linux':
      // https://www.freedesktop.org/software/systemd/man/latest/systemd-inhibit.html
      return ['systemd-inhibit', '--what=idle:sleep', '--who=Onward', '--why=A goal is set', '--mode=block', 'cat']
    case 'darwin':
      return ['caffeinate', '-i', '-w', String(pid)]
    case 'win32':
      return ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', windowsScript]
    default:
      return null
  }
}

const start: Spawn = (program, args) =>
  spawn(program, [...args], { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true })

export function stayAwake(
  platform: NodeJS.Platform,
  pid: number,
  spawnProgram: Spawn = start,
): NonNullable<EngineHost['stayAwake']> {
  return (onFailed) => {
    const [program, ...args] = awakeProgram(platform, pid) ?? []
    if (program === undefined) {
      onFailed(`${platform} has no program for it`)
      return { dispose: () => undefined }
    }
    let over = false
    let said = ''
    const fail = (message: string) => {
      if (over) return
      over = true
      onFailed(message)
    }
    const child = spawnProgram(program, args)
    child.stderr?.on('data', (data) => {
      said = (said + data.toString()).slice(0, 500)
    })
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code) => fail(said.trim() || `${program} ended with ${String(code)}`))
    return {
      dispose() {
        over = true
        child.stdin?.end()
        child.kill()
      },
    }
  }
}
