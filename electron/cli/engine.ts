/** Finds the engine a command is about and speaks to it. */
import { access } from 'node:fs/promises'
import { findRunningEngine, type EngineInfo } from '../engine/control/attach.ts'
import { controlTokenFile, readControlToken } from '../engine/control/token.ts'
import { withControl, type ControlCalls, type EngineTarget } from './client.ts'
import { CliError } from './exit.ts'
import type { Place } from './place.ts'

/** Where the engine of this home should be; null where none runs. `--port` goes before the engine's own note. */
export async function findTarget(place: Place): Promise<(EngineTarget & { info: EngineInfo | null }) | null> {
  const info = await findRunningEngine(place.home)
  if (!info && place.port === null) return null
  const token = await readControlToken(place.home)
  if (token === null) return null
  return { host: info?.host ?? '127.0.0.1', port: place.port ?? info?.port ?? 0, token, info }
}

/** @throws CliError `noEngine` when none runs or it doesn't answer */
export async function withEngine<T>(place: Place, work: (calls: ControlCalls) => Promise<T>): Promise<T> {
  const target = await findTarget(place)
  if (!target) throw await noEngine(place)
  return withControl(target, work)
}

async function noEngine(place: Place): Promise<CliError> {
  const used = await access(controlTokenFile(place.home)).then(
    () => true,
    () => false,
  )
  return new CliError('noEngine', `No engine runs for ${place.home}.`, {
    hint: used
      ? 'Start one with `onward start` or `onward serve`.'
      : 'No engine ever ran there. Start one with `onward start`, or name another home with --home.',
  })
}
