/** Finds the engine a command is about and speaks to it. */
import { access } from 'node:fs/promises'
import { systemCodeOf } from '../engine/base/errors.ts'
import { checkOwnSocket } from '../engine/base/network/check-own-socket.ts'
import { findRunningEngine, type EngineInfo } from '../engine/control/attach.ts'
import { controlTokenFile, readControlToken } from '../engine/control/token.ts'
import { withControl, type ControlCalls, type EngineTarget } from './client.ts'
import { CliError } from './exit.ts'
import type { EnginePlace, Place } from './place.ts'

/**
 * Where the engine of this home is; null where none runs, or one at another port than asked for.
 * @throws OnwardError `socket-not-ours`
 */
export async function findTarget(place: Place): Promise<(EngineTarget & { info: EngineInfo }) | null> {
  const info = await findRunningEngine(place.home)
  if (!info || (place.port !== null && place.port !== 0 && place.port !== info.port)) return null
  const token = await readControlToken(place.home)
  if (token === null) return null
  await checkOwnSocket(info.socket, place.home).catch((error: unknown) => {
    // the engine ended a moment ago; connecting to it will say so
    if (systemCodeOf(error) !== 'ENOENT') throw error
  })
  const { host, port, socket } = info
  return { host, port, socket, token, info }
}

/** @throws CliError `noEngine` when none runs or it doesn't answer; OnwardError `machine-…` */
export async function withEngine<T>(place: EnginePlace, work: (calls: ControlCalls) => Promise<T>): Promise<T> {
  if (place.machine) {
    const { home, machine } = place
    const { readMachines, machineNamed } = await import('../machines/machines-file.ts')
    const isAdded = (await readMachines(home)).some(({ name }) => name === machine.name)
    const local = isAdded ? null : await findTarget(place)
    const asked = local && (await (await import('./on-fleet.ts')).onFleet(local, machine.name, work))
    if (asked) return asked.answer
    const { onMachine } = await import('./on-machine.ts')
    return onMachine(await machineNamed(home, machine.name), { home, cli: machine.cli }, work)
  }
  const target = await findTarget(place)
  if (!target) throw await noEngine(place)
  return withControl(target, work)
}

export async function noEngine(place: Place): Promise<CliError> {
  const info = await findRunningEngine(place.home)
  if (info)
    return new CliError('noEngine', `The engine of ${place.home} is on port ${info.port}, not on ${place.port}.`, {
      hint: 'Leave --port and ONWARD_PORT out, or name the other engine’s home with --home.',
    })
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
