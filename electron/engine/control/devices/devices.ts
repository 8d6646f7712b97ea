/**
 * Paired devices of a home. A pairing code opens one connection, once, within minutes; on it the device hands over its
 * public key. From then on each of its connections is proved by a signature over fresh random numbers of both sides:
 * nothing that could be copied is kept anywhere. Rights are looked up at every call, so that a change counts at once.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { Credential } from '../../../../shared/control/proof.ts'
import { deviceRights, type DeviceRight, type DeviceView } from '../../../../shared/devices.ts'
import { rightOf } from '../../../../shared/operations/rights.ts'
import { parseJson } from '../../../../shared/parse-json.ts'
import type { Keys } from '../../base/admit.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { serial } from '../../base/work.ts'
import { setAside } from '../../store/set-aside.ts'
import { storeFailed } from '../../store/store-failed.ts'
import type { Files } from '../../store/types.ts'
import { createPairings, refused, type DeviceContext } from './pairings.ts'

export interface Devices {
  keys: Keys
  /** what a caller of this id may do; null: it never was a device or a code, also not one that is over by now */
  contextOf(id: string): DeviceContext | null
  /** a connection of the device began or ended */
  connected(id: string): () => void
  /** called with its id when its connections have to end; one listener for each server */
  onRevoked(listener: (id: string) => void): void
  newPairing(rights: readonly DeviceRight[]): Credential & { rights: readonly DeviceRight[]; until: number }
  list(): readonly DeviceView[]
  rename(wanted: string, name: string): Promise<DeviceView>
  revoke(wanted: string): Promise<DeviceView>
}

export interface DevicesDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic' | 'list' | 'rename'>
  clock: Pick<Clock, 'now'>
  random: Random
  log: Log
}

/** each is a way in that its person has to keep in mind */
const mostDevices = 32

const device = z.object({
  id: z.string(),
  name: z.string(),
  /** what the engine proves itself with to it */
  key: z.string(),
  publicKey: z.string(),
  rights: z.array(z.enum(deviceRights)),
  createdAt: z.number(),
  seenAt: z.number(),
})
type Device = z.infer<typeof device>
const file = z.object({ format: z.literal(1), devices: z.array(device) })

/** `devices.json` in the home, for its owner alone. One that can't be read lets no device in, and is kept. */
export async function openDevices({ home, files, clock, random, log }: DevicesDeps): Promise<Devices> {
  const path = join(home, 'devices.json')
  let devices = await read(path, { files, clock, log })
  const open = new Map<string, number>()
  /** in this run: a write that was under way must not bring one back */
  const revoked = new Set<string>()
  const listeners: ((id: string) => void)[] = []
  const inTurn = serial()

  const byId = (id: string): Device | null => devices.find((one) => one.id === id) ?? null
  const viewOf = ({ id, name, rights, createdAt, seenAt }: Device): DeviceView => ({
    id,
    name,
    rights,
    createdAt,
    seenAt,
    here: (open.get(id) ?? 0) > 0,
  })
  const write = async (next: readonly Device[]) => {
    try {
      await files.writeAtomic(path, `${JSON.stringify({ format: 1, devices: next }, null, 2)}\n`)
    } catch (error) {
      throw storeFailed('save', path, error)
    }
  }
  /** on the disk before it counts */
  const change = <T>(make: () => readonly [Device[], T]): Promise<T> =>
    inTurn(async () => {
      const [next, answer] = make()
      const left = next.filter(({ id }) => !revoked.has(id))
      await write(left)
      devices = left.filter(({ id }) => !revoked.has(id))
      return answer
    })
  const find = (wanted: string): Device => {
    const found = byId(wanted)
    if (found) return found
    const named = devices.filter(({ id, name }) => name === wanted || id.startsWith(wanted))
    const [only] = named
    if (!only) throw new OnwardError('device-unknown', `There is no device “${wanted}”.`, { status: 404 })
    if (named.length > 1)
      throw new OnwardError('device-ambiguous', `Several devices fit “${wanted}”. Write more of the id.`, {
        status: 409,
      })
    return only
  }
  const roomForOne = () => {
    if (devices.length >= mostDevices)
      throw new OnwardError('too-many-devices', `${mostDevices} devices are paired. Revoke one first.`, { status: 409 })
  }
  const seen = (id: string) =>
    change(() => [devices.map((one) => (one.id === id ? { ...one, seenAt: clock.now() } : one)), undefined]).catch(
      (error: unknown) => log.warn({ error: messageOf(error) }, 'when a device was last here could not be kept'),
    )

  const pairings = createPairings({ clock, random }, async (one) => {
    await change(() => {
      roomForOne()
      return [[...devices, one], null]
    })
    log.info({ device: one.id, rights: one.rights }, 'a device was paired')
  })

  return {
    keys: {
      keyOf: (id) => pairings.keyOf(id) ?? byId(id)?.key ?? null,
      publicKeyOf: (id) => byId(id)?.publicKey ?? null,
      admitted: pairings.admitted,
    },
    contextOf(id) {
      const ofCode = pairings.contextOf(id)
      if (ofCode) return ofCode
      if (!byId(id) && !revoked.has(id)) return null
      return {
        check(operation) {
          const right = rightOf(operation)
          const now = byId(id)
          if (!now) throw new OnwardError('device-revoked', 'This device was revoked.', { status: 403 })
          if (right === null || !now.rights.includes(right)) throw refused(operation, right)
        },
      }
    },
    connected(id) {
      open.set(id, (open.get(id) ?? 0) + 1)
      if (byId(id)) void seen(id)
      return () => {
        open.set(id, (open.get(id) ?? 1) - 1)
        if (byId(id)) void seen(id)
      }
    },
    onRevoked: (listener) => void listeners.push(listener),
    newPairing(rights) {
      roomForOne()
      return pairings.make(rights)
    },
    list: () => devices.map(viewOf),
    rename: (wanted, name) =>
      change(() => {
        const renamed = { ...find(wanted), name }
        return [devices.map((one) => (one.id === renamed.id ? renamed : one)), viewOf(renamed)]
      }),
    async revoke(wanted) {
      const gone = find(wanted)
      revoked.add(gone.id)
      // Before the disk has it: a lost phone is out even where the disk is full.
      devices = devices.filter(({ id }) => id !== gone.id)
      for (const listener of listeners) listener(gone.id)
      await inTurn(() => write(devices))
      log.info({ device: gone.id }, 'a device was revoked')
      return viewOf(gone)
    },
  }
}

async function read(path: string, { files, clock, log }: Pick<DevicesDeps, 'files' | 'clock' | 'log'>) {
  try {
    const bytes = await files.read(path)
    if (bytes === null) return []
    const found = file.safeParse(parseJson(bytes.toString('utf8'))).data
    if (found) return found.devices
    const aside = await setAside(files, path, 'corrupt', clock.now())
    log.error({ aside }, 'devices.json could not be understood and was set aside: phones have to be paired anew')
  } catch (error) {
    log.error({ error: messageOf(error) }, 'devices.json could not be read: no device is let in')
  }
  return []
}
