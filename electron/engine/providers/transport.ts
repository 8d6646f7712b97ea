import { isAbsolute, join, normalize } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { simulatorTransport } from './simulator/simulator.ts'
import type { Transport } from './types.ts'
import { unpackedTransport } from './unpacked-transport.ts'
import { undiciTransport } from './undici/transport.ts'
import { simulatorScheme } from './url.ts'

export interface TransportOptions {
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Onward home: scenario files lie below it */
  home: string
  files: { read(path: string): Promise<Buffer | null> }
  /** PEM certificates trusted in addition to the system's */
  ca?: string
}

/** The transport for every upstream: `simulator:` is built in, the rest goes over HTTP. Answers are uncompressed. */
export function transportFor(options: TransportOptions): Transport {
  const simulator = simulatorTransport({
    clock: options.clock,
    async readScenario(path) {
      const below = normalize(path)
      if (isAbsolute(below) || /^[A-Za-z]:/.test(below) || below.split(/[\\/]/).includes('..')) {
        throw new OnwardError('bad-scenario', `The simulator's scenario ${path} must be a path below the Onward home.`)
      }
      return (await options.files.read(join(options.home, below)))?.toString('utf8') ?? null
    },
  })
  const http = undiciTransport(options)
  return unpackedTransport({
    send: (request, handler) => (request.url.startsWith(simulatorScheme) ? simulator : http).send(request, handler),
    async dispose() {
      await Promise.all([simulator.dispose(), http.dispose()])
    },
  })
}
