/**
 * The rules of a fleet, as its hub last said them: `fleet-policy.json` in the home. They hold while the hub is away and
 * after the fleet was left, since leaving it is no more than a line of the config. Only that fleet takes them away.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../../shared/parse-json.ts'
import { emitter } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Files } from '../../store/types.ts'
import { readPolicy } from './read-policy.ts'
import type { PolicySource } from './source.ts'

export interface FleetPolicy {
  source: PolicySource
  /** the fleet whose policy holds here; null: none does */
  of(): Promise<string | null>
  /** `text` null: the fleet took it away. @throws OnwardError `fleet-policy-wrong`; then the last one goes on */
  take(fleet: string, text: string | null): Promise<void>
}

const file = z.object({ fleet: z.string(), text: z.string() })

export function fleetPolicy(home: string, files: Pick<Files, 'read' | 'writeAtomic' | 'remove'>): FleetPolicy {
  const path = join(home, 'fleet-policy.json')
  const changed = emitter<void>(() => undefined)
  const kept = async (): Promise<z.infer<typeof file> | null> => {
    const bytes = await files.read(path)
    if (bytes === null) return null
    const read = file.safeParse(parseJson(bytes.toString('utf8')))
    if (read.success) return read.data
    throw new Error('it is damaged')
  }
  return {
    source: {
      name: path,
      required: false,
      read: async () => (await kept())?.text ?? null,
      follow: (onChange) => changed.on(onChange),
    },
    of: async () => (await kept())?.fleet ?? null,
    async take(fleet, text) {
      if (text === null) await files.remove(path)
      else {
        const { policy, problems } = readPolicy(text, path)
        const [problem] = problems
        // it could keep its engines from hearing that it was taken away
        if (policy?.fleets)
          throw new OnwardError(
            'fleet-policy-wrong',
            'The policy of a fleet can’t say which fleets may be joined: that belongs into the policy of a machine. ' +
              'The rules before it go on.',
          )
        if (problem)
          throw new OnwardError(
            'fleet-policy-wrong',
            `The policy of the fleet is wrong in line ${problem.line}: ${problem.message} The rules before it go on.`,
          )
        await files.writeAtomic(path, `${JSON.stringify({ fleet, text }, null, 2)}\n`)
      }
      changed.emit()
    },
  }
}
