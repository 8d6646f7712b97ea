import { createServer } from 'node:net'
import type { DoctorFinding } from '../../../shared/doctor.ts'
import { isNewer } from '../../../shared/newer-version.ts'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { CliError } from '../exit.ts'
import { findTarget } from '../engine.ts'
import { withControl } from '../client.ts'
import { bad, good, type Check } from './types.ts'

const defaultPort = 5520

/**
 * Reaches the engine and passes on its own findings (providers, terminals); without one checks whether its port is
 * free.
 */
export const checkEngine: Check = async (place, cli) => {
  const target = await findTarget(place)
  if (target) {
    try {
      return await withControl(target, async (calls) => {
        const status = await calls.status.query()
        return [
          good(
            'engine',
            `Onward ${status.version} answers at http://${status.host}:${status.port}, pid ${status.pid}.`,
          ),
          ...sameVersion(status.version, target.info.service ?? false, cli.version),
          ...(await calls.doctor.query()),
        ]
      })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      return [
        bad(
          'engine',
          error.message,
          target.info
            ? `If pid ${target.info.pid} hangs, end it; then \`onward serve\`.`
            : 'Start one with `onward serve`.',
        ),
      ]
    }
  }
  const port = place.port ?? defaultPort
  const taken = await portTaken(port)
  if (taken === null) return [good('engine', `None runs; port ${port} is free. \`onward start\` starts one.`)]
  return [
    bad(
      'engine',
      `None runs, and port ${port} can’t be used (${taken}).`,
      `Find out who has it (\`lsof -i :${port}\`), or choose another: server.port in the config, or --port.`,
    ),
  ]
}

/** An update of Onward does not reach an engine that runs. */
function sameVersion(running: string, service: boolean, own: string): readonly DoctorFinding[] {
  if (running === own) return []
  const say = `The engine is Onward ${running}, this command is ${own}.`
  if (isNewer(running, own))
    return [bad('version', say, 'Update this one, or use the command that belongs to the newer.')]
  return [
    bad(
      'version',
      say,
      service
        ? 'Agents live on when the engine is started anew: `onward service install`.'
        : 'Agents live on when the newer takes over: `onward serve --take-over`.',
    ),
  ]
}

function portTaken(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(systemCodeOf(error) ?? error.message))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)))
  })
}
