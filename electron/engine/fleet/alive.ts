/** What an engine says of itself at the hub, again and again. */
import { z } from 'zod'
import { contract, fitOf, readContract } from '../../../shared/control/contract.ts'
import { deviceRights } from '../../../shared/devices.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { OnwardError } from '../base/errors.ts'

const alive = z.object({
  version: z.string(),
  since: z.number(),
  /** it ended by itself, and may come back */
  ended: z.boolean(),
  contract: z.unknown().optional(),
  /** what it lets others of the fleet do */
  rights: z.array(z.enum(deviceRights)).optional(),
})
export type Alive = z.infer<typeof alive>

export const aliveText = (facts: Omit<Alive, 'contract'>): string => JSON.stringify({ ...facts, contract })

/** null: it is none */
export const readAlive = (text: string | null): Alive | null => alive.safeParse(parseJson(text ?? '')).data ?? null

/** @throws OnwardError `fleet-engine-unknown`, `fleet-contract` */
export function assertUsable(engine: string, text: string | null): void {
  const known = readAlive(text)
  if (known === null)
    throw new OnwardError('fleet-engine-unknown', `No engine of the fleet is called “${engine}”.`, { status: 404 })
  const fit = fitOf(readContract(known.contract))
  if (fit === 'too-old' || fit === 'too-new')
    throw new OnwardError(
      'fleet-contract',
      `The engine ${engine} is Onward ${known.version}, too ${fit === 'too-old' ? 'old' : 'new'} for this one. ` +
        `${fit === 'too-old' ? 'Update it there, and start it again.' : 'Update Onward here.'}`,
      { status: 409, details: { engine, version: known.version, fit } },
    )
}
