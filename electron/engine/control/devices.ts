/**
 * Paired devices of a home. A pairing code opens one connection, once, within minutes; on it the device hands over its
 * public key. From then on each of its connections is proved by a signature over fresh random numbers of both sides:
 * nothing that could be copied is kept anywhere. Rights are looked up at every call, so that a change counts at once.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { Credential } from '../../../shared/control/proof.ts'
import { deviceRights, withLook, type DeviceRight, type DeviceView, type PushTarget } from '../../../shared/devices.ts'
import type { ControlApi, Input } from '../../../shared/operations/index.ts'
import { rightOf } from '../../../shared/operations/rights.ts'
import type { EngineUpdate } from '../../../shared/state.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Keys } from '../base/network/admit.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { serial } from '../base/work.ts'
import { setAside } from '../store/set-aside.ts'
import { storeFailed } from '../store/store-failed.ts'
import type { Files } from '../store/types.ts'
import { createPairings, refused, type DeviceContext } from './devices/pairings.ts'

export interface Devices {
  keys: Keys
  /** what a caller of this id may do; null: it never was a device or a code, also not one that is over by now */
  contextOf(id: string): DeviceContext | null
  /** a connection of the device began or ended */
  connected(id: string): () => void
  /** called with its id when its connections have to end; one listener for each server */
  onRevoked(listener: (id: string) => void): void
  /** what `list` says is another by now */
  onChanged(listener: () => void): void
  newPairing(rights: readonly DeviceRight[]): Credential & { rights: readonly DeviceRight[]; until: number }
  list(): readonly DeviceView[]
  rename(wanted: string, name: string): Promise<DeviceView>
  setRights(wanted: string, rights: readonly DeviceRight[]): Promise<DeviceView>
  revoke(wanted: string): Promise<DeviceView>
  /** Ends the connections of all devices where none is allowed now. */
  look(): void
  /** those that have push on */
  pushed(): readonly { id: string; name: string; here: boolean; push: PushTarget }[]
  /** null: off. `was`: only where it is this endpoint still */
  setPush(id: string, push: PushTarget | null, was?: string): Promise<void>
}

export interface DevicesDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic' | 'list' | 'rename'>
  clock: Pick<Clock, 'now'>
  random: Random
  log: Log
  /** why no device may be let in now; null, or left out: devices may */
  forbidden?(): OnwardError | null
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
  push: z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() }).optional(),
})
type Device = z.infer<typeof device>
const file = z.object({ format: z.literal(1), devices: z.array(device) })

/** `devices.json` in the home, for its owner alone. One that can't be read lets no device in, and is kept. */
export async function openDevices(deps: DevicesDeps): Promise<Devices> {
  const { home, files, clock, random, log, forbidden = () => null } = deps
  const path = join(home, 'devices.json')
  let devices = await read(path, { files, clock, log })
  const open = new Map<string, number>()
  /** in this run: a write that was under way must not bring one back */
  const revoked = new Set<string>()
  const listeners: ((id: string) => void)[] = []
  const watchers: (() => void)[] = []
  const changed = () => {
    for (const watcher of watchers) watcher()
  }
  const inTurn = serial()

  const byId = (id: string): Device | null => devices.find((one) => one.id === id) ?? null
  const isHere = (id: string): boolean => (open.get(id) ?? 0) > 0
  const viewOf = ({ key: _key, publicKey: _publicKey, push, ...view }: Device): DeviceView => ({
    ...view,
    here: isHere(view.id),
    push: push !== undefined,
  })
  const write = (next: readonly Device[]) => writeDevices(path, next, files)
  /** on the disk before it counts */
  const change = <T>(make: () => readonly [Device[], T]): Promise<T> =>
    inTurn(async () => {
      const [next, answer] = make()
      const left = next.filter(({ id }) => !revoked.has(id))
      await write(left)
      devices = left.filter(({ id }) => !revoked.has(id))
      changed()
      return answer
    })
  const find = (wanted: string): Device => oneOf(devices, wanted)
  const edit = (wanted: string, part: Partial<Device>) =>
    change(() => {
      const edited = { ...find(wanted), ...part }
      return [devices.map((one) => (one.id === edited.id ? edited : one)), viewOf(edited)]
    })
  const roomForOne = () => {
    if (devices.length >= mostDevices)
      throw new OnwardError('too-many-devices', `${mostDevices} devices are paired. Revoke one first.`, { status: 409 })
  }
  const seen = (id: string) =>
    change(() => [devices.map((one) => (one.id === id ? { ...one, seenAt: clock.now() } : one)), undefined]).catch(
      (error: unknown) => log.warn({ error: messageOf(error) }, 'when a device was last here could not be kept'),
    )

  const pairings = createPairings({ clock, random }, async (one) => {
    assertAllowed(forbidden)
    await change(() => {
      roomForOne()
      return [[...devices, one], null]
    })
    log.info({ device: one.id, rights: one.rights }, 'a device was paired')
  })

  return {
    keys: {
      keyOf: (id) => (forbidden() ? null : (pairings.keyOf(id) ?? byId(id)?.key ?? null)),
      publicKeyOf: (id) => byId(id)?.publicKey ?? null,
      admitted: pairings.admitted,
    },
    contextOf(id) {
      const ofCode = pairings.contextOf(id)
      if (ofCode) return ofCode
      if (!byId(id) && !revoked.has(id)) return null
      return {
        apiOf: (api) => apiFor(api, () => byId(id)?.rights ?? []),
        check(operation, carried) {
          assertAllowed(forbidden)
          const right = rightOf(carried ?? operation)
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
    onChanged: (watcher) => void watchers.push(watcher),
    newPairing(rights) {
      assertAllowed(forbidden)
      roomForOne()
      return pairings.make(rights)
    },
    list: () => devices.map(viewOf),
    rename: (wanted, name) => edit(wanted, { name }),
    setRights: (wanted, rights) => edit(wanted, { rights: withLook(rights) }),
    look() {
      if (forbidden()) for (const { id } of devices) for (const listener of listeners) listener(id)
    },
    pushed: () =>
      (forbidden() ? [] : devices).flatMap(({ id, name, push }) =>
        push === undefined ? [] : [{ id, name, here: isHere(id), push }],
      ),
    setPush: (id, push, was) =>
      change(() => [devices.map((one) => (one.id === id ? withPush(one, push, was) : one)), undefined]),
    async revoke(wanted) {
      const gone = find(wanted)
      revoked.add(gone.id)
      // Before the disk has it: a lost phone is out even where the disk is full.
      devices = devices.filter(({ id }) => id !== gone.id)
      for (const listener of listeners) listener(gone.id)
      changed()
      await inTurn(() => write(devices))
      log.info({ device: gone.id }, 'a device was revoked')
      return viewOf(gone)
    },
  }
}

async function writeDevices(path: string, devices: readonly Device[], files: Pick<Files, 'writeAtomic'>) {
  try {
    await files.writeAtomic(path, `${JSON.stringify({ format: 1, devices }, null, 2)}\n`)
  } catch (error) {
    throw storeFailed('save', path, error)
  }
}

function assertAllowed(forbidden: () => OnwardError | null): void {
  const why = forbidden()
  if (why) throw why
}

/** By its id, the beginning of it, or its name. */
function oneOf(devices: readonly Device[], wanted: string): Device {
  const exact = devices.find(({ id }) => id === wanted)
  const named = exact ? [exact] : devices.filter(({ id, name }) => name === wanted || id.startsWith(wanted))
  const [only] = named
  if (!only) throw new OnwardError('device-unknown', `There is no device “${wanted}”.`, { status: 404 })
  if (named.length > 1)
    throw new OnwardError('device-ambiguous', `Several devices fit “${wanted}”. Write more of the id.`, { status: 409 })
  return only
}

/** A device hears of its own rights, and of no other device. */
function apiFor(api: Pick<ControlApi, 'follow' | 'followThere'>, rightsNow: () => readonly DeviceRight[]): object {
  const seen = (update: EngineUpdate): EngineUpdate => {
    if (update.type === 'devices') return { type: 'rights', rights: rightsNow() }
    return update.type === 'snapshot' ? { ...update, devices: undefined, rights: rightsNow() } : update
  }
  return Object.assign(Object.create(api) as object, {
    async *follow(signal: AbortSignal) {
      for await (const update of api.follow(signal)) yield seen(update)
    },
    async *followThere(input: Input<'followThere'>, signal: AbortSignal) {
      for await (const update of api.followThere(input, signal))
        yield input.operation === 'follow' ? seen(update as EngineUpdate) : update
    },
  })
}
const withPush = (one: Device, push: PushTarget | null, was = one.push?.endpoint): Device =>
  one.push?.endpoint === was ? { ...one, push: push ?? undefined } : one

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
