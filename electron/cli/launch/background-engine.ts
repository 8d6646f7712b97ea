/** An engine for an agent: the one that runs, else one started in the background that outlives this terminal. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { comesBack, type EngineInfo } from '../../engine/control/attach.ts'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { makeFolders } from '../../engine/store/disk-files.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { exitCodes, CliError } from '../exit.ts'
import { withControl, type EngineTarget } from '../client.ts'
import type { Cli } from '../cli.ts'
import { findTarget } from '../engine.ts'
import { oneLine } from '../output/clean.ts'
import type { Place } from '../place.ts'
import { personsEnvironment } from './environment.ts'

type Running = EngineTarget & { info: EngineInfo }
export type FoundEngine = Running & { started: boolean }

/** a cold start on a busy machine */
const readyWithinMs = 15_000
const pollMs = 50

export const backgroundLog = (home: string): string => join(home, 'logs', 'background.log')

/** @throws CliError `noEngine` with what the engine said when it did not come up */
export async function ensureEngine(place: Place, cli: Cli): Promise<FoundEngine> {
  const running = await answering(place)
  // One that ends takes no requests; the one started here waits for its home.
  if (running && running.info.endsBy === undefined) return { ...running, started: false }
  await makeFolders(join(place.home, 'logs'))
  const child = startInBackground(place, cli)
  const found = await ready(place, child)
  return { ...found, started: found.info.service !== true }
}

/** Says that the engine stays, to a person who may not know that it was started. */
export const leftRunning = ({ host, port, info }: FoundEngine, { platform }: Pick<Cli, 'platform'>): string =>
  `Onward’s engine was started in the background, at http://${host}:${port}, and runs on. ` +
  `To stop it: ${platform === 'win32' ? 'taskkill /F /PID' : 'kill'} ${info.pid}`

/** A note and a live process are not enough: it must accept our token. */
async function answering(place: Place): Promise<Running | null> {
  const target = await findTarget(place)
  if (!target) return null
  try {
    await withControl(target, (calls) => calls.status.query())
    return target
  } catch (error) {
    if (error instanceof CliError && error.exit === 'noEngine') return null
    throw error
  }
}

interface Background {
  ended: { code: number | null; error: string | null } | null
}

function startInBackground(place: Place, cli: Cli): Background {
  const state: Background = { ended: null }
  const [program = process.execPath, ...args] = cli.self
  const log = openSync(backgroundLog(place.home), 'w', 0o600)
  try {
    const port = place.port === null ? [] : ['--port', String(place.port)]
    const child: ChildProcess = spawn(program, [...args, 'serve', '--home', place.home, ...port], {
      detached: true,
      cwd: place.home,
      // its stdout carries the dashboard link, whose token belongs in no log
      stdio: ['ignore', 'ignore', log],
      // in the desktop app `self` is Electron, which is plain Node with this
      env: { ...personsEnvironment(cli.env), ...(process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
    })
    child.once('error', (error) => {
      state.ended = { code: null, error: `it could not be started: ${whyFailed(error)}` }
    })
    child.once('exit', (code) => {
      state.ended ??= { code, error: null }
    })
    child.unref()
  } finally {
    closeSync(log)
  }
  return state
}

async function ready(place: Place, background: Background): Promise<Running> {
  let until = Date.now() + readyWithinMs
  while (Date.now() < until) {
    const target = await answering(place)
    if (target && target.info.endsBy === undefined) return target
    until = Math.max(until, (target?.info.endsBy ?? 0) + readyWithinMs)
    // another process was quicker: its engine will answer in a moment
    const code = background.ended?.code
    const other = code === exitCodes.engineRuns.code || (code === exitCodes.portTaken.code && comesBack(place.home))
    if (background.ended && !other) throw didNotStart(place, background.ended.error)
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs)
    })
  }
  throw didNotStart(place, `it was not ready after ${readyWithinMs / 1000} s`)
}

function didNotStart(place: Place, why: string | null): CliError {
  const said = lastWords(place.home)
  return new CliError(
    'noEngine',
    `Onward’s engine did not start: ${why ?? (said || 'it ended without a word')}` +
      `${why !== null && said ? `. It said: ${said}` : ''}`,
    { hint: `More in ${backgroundLog(place.home)}.` },
  )
}

function lastWords(home: string): string {
  try {
    return readFileSync(backgroundLog(home), 'utf8')
      .split('\n')
      .map((line) => oneLine(line.replace(/^onward: /, '')))
      .filter(Boolean)
      .slice(-3)
      .join(' ')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return ''
    throw error
  }
}
