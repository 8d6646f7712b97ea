/** Starts the desktop app so that it outlives this command, and notices when it ends at once instead. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../engine/store/disk-files.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import type { Cli } from '../cli.ts'
import { oneLine } from '../output/clean.ts'
import type { Place } from '../place.ts'

export type DesktopResult = { kind: 'open' } | { kind: 'failed'; why: string }

/** A missing library or sandbox shows within a second or two; a second instance hands over and ends with 0. */
const watchMs = 3_000

export async function openDesktop(
  program: string,
  args: readonly string[],
  place: Place,
  cli: Pick<Cli, 'env'>,
): Promise<DesktopResult> {
  await makeFolders(join(place.home, 'logs'))
  const said = join(place.home, 'logs', 'desktop.log')
  const log = openSync(said, 'w', 0o600)
  const env: NodeJS.ProcessEnv = { ...cli.env, ONWARD_HOME: place.home }
  if (place.port !== null) env.ONWARD_PORT = String(place.port)
  delete env.ELECTRON_RUN_AS_NODE
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log], env })
  closeSync(log)
  const ended = new Promise<DesktopResult>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', why: whyFailed(error) }))
    child.once('exit', (code, signal) =>
      resolve(
        code === 0 ? { kind: 'open' } : { kind: 'failed', why: lastWords(said) || `it ended with ${code ?? signal}` },
      ),
    )
  })
  let timer: NodeJS.Timeout | undefined
  const stayed = new Promise<DesktopResult>((resolve) => {
    timer = setTimeout(resolve, watchMs, { kind: 'open' })
  })
  const result = await Promise.race([ended, stayed])
  clearTimeout(timer)
  child.unref()
  return result
}

const lastWords = (file: string): string =>
  readFileSync(file, 'utf8').split('\n').map(oneLine).filter(Boolean).at(-1) ?? ''
