/** Codes by which devices are paired: each opens one connection, once, on which its device hands over its key. */
import { deviceKey, pageCredential, type Credential, type Exchange } from '../../../../shared/control/proof.ts'
import { withLook, type DeviceRight } from '../../../../shared/devices.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'

export const pairingMs = 5 * 60_000

export interface DeviceContext {
  /** @throws where it may not ask for that */
  check(operation: string, carried?: string): void
  /** what carries its calls out, of everybody's */
  apiOf(everybodys: Pick<ControlApi, 'follow' | 'followThere'>): object
}

/** A device as it is kept; `key` is what the engine proves itself with to it. */
export interface NewDevice extends Credential {
  name: string
  publicKey: string
  rights: DeviceRight[]
  createdAt: number
  seenAt: number
}

interface Pairing extends Credential {
  rights: readonly DeviceRight[]
  until: number
}

/** @param add keeps a device; on the disk when it resolves */
export function createPairings(
  { clock, random }: { clock: Pick<Clock, 'now'>; random: Random },
  add: (device: NewDevice) => Promise<void>,
) {
  /** the code that waits for its device */
  let waiting: Pairing | null = null
  /** devices to be whose code was right: the credential both sides derived, by the code's id */
  const proved = new Map<string, { made: Credential; pairing: Pairing }>()
  /** codes of this run: one that is used or too old is still no person's */
  const codes = new Set<string>()
  const pairingOf = (id: string): Pairing | null =>
    waiting !== null && waiting.id === id && clock.now() < waiting.until ? waiting : null

  const pairDevice = async (
    pairingId: string,
    { name, publicKey }: Parameters<ControlApi['pairDevice']>[0],
  ): ReturnType<ControlApi['pairDevice']> => {
    const claim = proved.get(pairingId)
    // once, whatever becomes of it
    proved.delete(pairingId)
    if (!claim || clock.now() >= claim.pairing.until)
      throw new OnwardError('no-pairing', 'This code has been used or is too old. Make a new one at the computer.', {
        status: 409,
      })
    if ((await deviceKey(publicKey)) === null)
      throw new OnwardError('bad-device-key', 'This is no key of a device.', { status: 400 })
    const { made, pairing } = claim
    const now = clock.now()
    const { id, key } = made
    await add({ id, key, name, publicKey, rights: [...pairing.rights], createdAt: now, seenAt: now })
    return { rights: pairing.rights }
  }

  return {
    keyOf: (id: string): string | null => pairingOf(id)?.key ?? null,
    async admitted(exchange: Exchange) {
      const pairing = pairingOf(exchange.id)
      if (!pairing) return null
      // at once: a second caller that is in the middle of its proof comes too late
      waiting = null
      proved.clear()
      proved.set(pairing.id, { made: await pageCredential(pairing.key, exchange, 'device'), pairing })
      return null
    },
    /** null: this was never a code */
    contextOf(id: string): DeviceContext | null {
      if (!codes.has(id)) return null
      const api: Pick<ControlApi, 'pairDevice'> = { pairDevice: (input) => pairDevice(id, input) }
      return {
        apiOf: () => api,
        check(operation) {
          if (operation !== 'pairDevice') throw refused(operation, null)
        },
      }
    },
    make(rights: readonly DeviceRight[]): Pairing {
      waiting = {
        id: random.token(12),
        key: random.token(24),
        rights: withLook(rights),
        until: clock.now() + pairingMs,
      }
      codes.add(waiting.id)
      return waiting
    },
  }
}

export const refused = (operation: string, right: DeviceRight | null): OnwardError =>
  new OnwardError(
    'device-may-not',
    right === null
      ? 'No paired device may do this. Do it at the computer.'
      : `This device lacks the right “${right}”. Give it at the computer, in Settings → Phones, or do it there.`,
    { status: 403, details: { operation, right } },
  )
