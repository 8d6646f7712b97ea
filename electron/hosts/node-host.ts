/**
 * The parts that plain Node and Electron's main process share as hosts of the engine: the real clock, disk, network and
 * log.
 */
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../engine/base/clock.ts'
import { systemRandom } from '../engine/base/ids.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { systemKeychain } from '../keychain/of-system.ts'
import { nodeConfigFiles } from '../engine/config/node-files.ts'
import { policySources } from '../engine/config/policy/source.ts'
import type { EngineHost, Notify } from '../engine/host.ts'
import { makeFolders } from '../engine/store/disk-files.ts'
import { whyFailed } from '../engine/store/store-failed.ts'
import { openEngineLog } from './engine-log.ts'
import { transportFor } from '../engine/providers/transport.ts'
import { ownCommand, quoted } from './own-command.ts'
import { findProgram, loginPath } from '../cli/launch/find-program.ts'
import { systemMachines } from './system-machines.ts'

export interface NodeHost {
  host: EngineHost
  /** closes connections and the log; after the engine's own dispose */
  dispose(): Promise<void>
}

export interface NodeHostOptions {
  /** absolute */
  home: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  /** left out where there is no desktop: notices then stand in the timeline only */
  notify?: Notify
}

const recordOnly: Notify = async () => ({ kind: 'suppressed', why: 'no desktop' })

/** @throws OnwardError `home-unusable` */
export async function createNodeHost({ home, env, version, notify = recordOnly }: NodeHostOptions): Promise<NodeHost> {
  await makeFolders(home).catch((error: unknown) => {
    throw new OnwardError('home-unusable', `The Onward home ${home} can’t be made: ${whyFailed(error)}.`, {
      cause: error,
    })
  })
  const clock = systemClock()
  const [{ diskFiles }, log] = await Promise.all([
    import('../engine/store/disk-files.ts'),
    openEngineLog(home, { level: env.ONWARD_LOG_LEVEL || undefined }),
  ])
  const files = diskFiles()
  // A report of a crash ends with the log's last lines.
  process.on('uncaughtExceptionMonitor', log.flush)
  const transport = transportFor({ clock, env, home, files })
  const random = systemRandom()
  const { machines, machineEdits, lendLine } = systemMachines({ home, version, env, clock, random })
  return {
    host: {
      home,
      env,
      version,
      clock,
      random,
      log: log.log,
      files,
      transport,
      policies: policySources(env, process.platform, { files: nodeConfigFiles(), clock, log: log.log }),
      notify,
      keychain: systemKeychain(env, clock),
      stayAwake: stayAwake(process.platform, process.pid),
      demoAgent,
      machines,
      machineEdits,
      lendLine,
      showsNotices: notify !== recordOnly,
      startPtyHost: (hostId) => startPtyHost(home, hostId, env),
      findProgram: (name, caller) =>
        findProgram(name, {
          env: caller ? { ...env, PATH: [caller.path, env.PATH ?? ''].join(delimiter) } : env,
          cwd: caller?.cwd ?? home,
          platform: process.platform,
        }),
      command: (path) => commandFor(home, env, path),
      loginPath: once(() => loginPath({ env, platform: process.platform })),
    },
    async dispose() {
      machines.dispose()
      await transport.dispose()
      process.off('uncaughtExceptionMonitor', log.flush)
      await log.dispose()
    },
  }
}

/** Another home than the usual one has to be named, or the line would go to another engine. */
function commandFor(home: string, env: NodeHostOptions['env'], path: string | null): string {
  const { platform, execPath, versions } = process
  const built = fileURLToPath(new URL('.', import.meta.url))
  const command = ownCommand({ built, execPath, platform, electron: versions.electron !== undefined }, path)
  const usual = join(env.HOME || env.USERPROFILE || homedir(), '.onward')
  return home === usual ? command : `${command} ${quoted(['--home', home], platform)}`
}

/** Electron's binary is a plain Node with the variable, which a hosted terminal is not given by itself. */
function demoAgent(): readonly string[] {
  const script = fileURLToPath(new URL('./demo-agent.js', import.meta.url))
  return process.versions.electron === undefined
    ? [process.execPath, script]
    : ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', process.execPath, script]
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => (asked ??= ask())
}

/** A process of its own, in a session of its own: neither the engine's end nor a closed terminal reaches it. */
function startPtyHost(home: string, hostId: string, env: Readonly<Record<string, string | undefined>>): void {
  const program = fileURLToPath(new URL('./pty-host.js', import.meta.url))
  const child = spawn(process.execPath, [program, home, hostId], {
    detached: true,
    stdio: 'ignore',
    // Electron's binary is a plain Node with this; under Node it means nothing.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  })
  child.on('error', () => undefined)
  child.unref()
}

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

/** Keeps the machine from going to sleep by a program of each system; it ends with the engine, however that ends. */
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
