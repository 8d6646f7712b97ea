import { describe, expect, it } from 'vitest'
import {
  isSignature,
  newDeviceKey,
  newNonce,
  pageCredential,
  proofOf,
  signatureOf,
  type Credential,
  type Exchange,
} from '../../../shared/control/proof.ts'
import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'
import { operations, type ControlApi, type OperationName } from '../../../shared/operations/index.ts'
import { rightOf } from '../../../shared/operations/rights.ts'
import { silentLog } from '../base/log.ts'
import { systemRandom } from '../base/ids.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { memoryFiles, type MemoryFiles } from '../store/testing/memory-files.ts'
import { fakeControlApi } from './testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { openDevices, type Devices } from './devices.ts'
import { pairingMs } from './devices/pairings.ts'

const exchangeOf = (id: string): Exchange => ({
  path: '/control',
  id,
  callerNonce: newNonce(),
  engineNonce: newNonce(),
})
const path = '/home/devices.json'

async function scene(files: MemoryFiles = memoryFiles()) {
  const clock = virtualClock()
  const devices = await openDevices({ home: '/home', files, clock, random: systemRandom(), log: silentLog })
  return { clock, files, devices }
}

/** What a phone does with a code, up to where it has a key of its own. */
async function pair(devices: Devices, rights: readonly DeviceRight[] = ['look'], name = 'Phone') {
  const code = devices.newPairing(rights)
  const { id, own } = await claim(devices, code, name)
  return { code, id, own }
}
async function claim(devices: Devices, code: Credential, name = 'Phone') {
  const exchange = exchangeOf(code.id)
  await devices.keys.admitted?.(exchange)
  const { own, publicKey } = await newDeviceKey()
  await handOver(devices, code.id, publicKey, name)
  return { ...(await pageCredential(code.key, exchange, 'device')), own }
}
/** What the connection of a code may ask for. */
function handOver(devices: Devices, code: string, publicKey: string, name = 'Phone') {
  const context = devices.contextOf(code)
  if (!context) throw new Error('no connection of a code')
  return (context.apiOf(fakeControlApi({})) as Pick<ControlApi, 'pairDevice'>).pairDevice({ name, publicKey })
}
const may = (devices: Devices, id: string, operation: string): string => {
  try {
    const context = devices.contextOf(id)
    if (!context) return 'a person'
    context.check(operation)
    return 'yes'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'thrown'
  }
}

describe('a code', () => {
  it('lets one device in, whose key is on the disk when it is told so', async () => {
    const { devices, files } = await scene()
    const { id } = await pair(devices, ['look', 'say'], 'Ada’s phone')
    expect(devices.list()).toMatchObject([{ id, name: 'Ada’s phone', rights: ['look', 'say'], here: false }])
    const again = await scene(files)
    expect(again.devices.list()).toEqual(devices.list())
    expect(again.devices.keys.publicKeyOf?.(id)).toBe(devices.keys.publicKeyOf?.(id))
  })

  it('counts once: what comes with it again is a stranger’s', async () => {
    const { devices } = await scene()
    const { code } = await pair(devices)
    expect(devices.keys.keyOf(code.id)).toBeNull()
    await expect(claim(devices, code)).rejects.toMatchObject({ code: 'no-pairing' })
    expect(devices.list()).toHaveLength(1)
  })

  it('is used up before its device hears of it: two at once are one', async () => {
    const { devices } = await scene()
    const { id } = devices.newPairing([])
    const first = devices.keys.admitted?.(exchangeOf(id))
    expect(devices.keys.keyOf(id)).toBeNull()
    await first
  })

  it('is over after five minutes, also for a device that is in the middle of it', async () => {
    const { clock, devices } = await scene()
    const stale = devices.newPairing([])
    await clock.advance(pairingMs - 1)
    expect(devices.keys.keyOf(stale.id)).toBe(stale.key)
    await devices.keys.admitted?.(exchangeOf(stale.id))
    await clock.advance(1)
    const { publicKey } = await newDeviceKey()
    await expect(handOver(devices, stale.id, publicKey)).rejects.toMatchObject({ code: 'no-pairing' })
    const other = devices.newPairing([])
    await clock.advance(pairingMs)
    expect(devices.keys.keyOf(other.id)).toBeNull()
  })

  it('ends the one before it', async () => {
    const { devices } = await scene()
    const [first, second] = [devices.newPairing([]), devices.newPairing([])]
    expect(devices.keys.keyOf(first.id)).toBeNull()
    expect(devices.keys.keyOf(second.id)).toBe(second.key)
  })

  it('is never a person’s: before, while and after it is used it opens pairDevice alone', async () => {
    const { devices } = await scene()
    const { code } = await pair(devices)
    const fresh = devices.newPairing(deviceRights)
    devices.newPairing([])
    for (const { id } of [code, fresh]) {
      expect(may(devices, id, 'pairDevice')).toBe('yes')
      for (const name of Object.keys(operations))
        if (name !== 'pairDevice') expect(may(devices, id, name), name).toBe('device-may-not')
    }
  })

  it('takes no key that is none', async () => {
    const { devices } = await scene()
    const { id } = devices.newPairing([])
    await devices.keys.admitted?.(exchangeOf(id))
    await expect(handOver(devices, id, 'A'.repeat(87))).rejects.toMatchObject({ code: 'bad-device-key' })
    expect(devices.list()).toEqual([])
  })
})

describe('a device’s signature', () => {
  it('counts for its own exchange alone: a replay of it is refused', async () => {
    const { own, publicKey } = await newDeviceKey()
    const exchange = exchangeOf('device')
    const signature = await signatureOf(own, exchange)
    expect(await isSignature(publicKey, exchange, signature)).toBe(true)
    for (const part of ['path', 'id', 'callerNonce', 'engineNonce'] as const)
      expect(await isSignature(publicKey, { ...exchange, [part]: 'other' }, signature), part).toBe(false)
    expect(await isSignature((await newDeviceKey()).publicKey, exchange, signature)).toBe(false)
  })

  it('can’t be made of what the home keeps of it', async () => {
    const { devices, files } = await scene()
    const { id } = await pair(devices)
    const exchange = exchangeOf(id)
    const kept = devices.keys.keyOf(id) ?? ''
    expect(files.content.get(path)).toContain(kept)
    const forged = await proofOf(kept, 'caller', exchange)
    expect(await isSignature(devices.keys.publicKeyOf?.(id) ?? '', exchange, forged)).toBe(false)
  })

  it('is made by a key that can’t be read', async () => {
    const { own } = await newDeviceKey()
    await expect(globalThis.crypto.subtle.exportKey('pkcs8', own)).rejects.toThrow()
  })
})

/** Each of them is a decision: a new operation stands here or in shared/operations/rights.ts. */
const denied: readonly OperationName[] = [
  ...(['askFleet', 'fleet', 'fleetEngines', 'joinFleet', 'leaveFleet'] as const),
  ...(['addLocalKey', 'addProvider', 'adoptPane', 'adoptablePanes', 'agentSetups', 'agents'] as const),
  ...(['applyMarker', 'approveCheck', 'archiveSession', 'checkConfigText', 'closeTerminal', 'configText'] as const),
  ...(['dashboardLink', 'declareCheck', 'deleteSession', 'devices', 'doctor', 'forgetCheck', 'forgetCrashes'] as const),
  ...([
    'forgetMarker',
    'foundAccess',
    'handOver',
    'lastCrash',
    'listFolder',
    'logPage',
    'logs',
    // by what they carry to another machine
    'callThere',
    'followThere',
    'addMachine',
    'machinesChanged',
    'removeMachine',
    'setMachineQuiet',
    'testMachine',
    'planInstall',
    'installThere',
    'moveSecrets',
  ] as const),
  ...(['newPairing', 'openTerminal', 'pairDevice', 'pinSession', 'providerDetails', 'providerModels'] as const),
  ...(['putBackConfig', 'recentFolders', 'registerTerminal', 'removeLocalKey', 'removeOutside'] as const),
  ...(['removeProvider', 'renameDevice', 'renameSession', 'renameTerminal', 'reportScreen', 'resizeTerminal'] as const),
  ...(['revokeDevice', 'routeCheck', 'runCheck', 'saveCollectorHeader', 'saveConfigText', 'saveOutside'] as const),
  ...(['saveRoute', 'secretsKept'] as const),
  ...(['setBudgets', 'setCapture', 'setQuietHours', 'setServertool', 'setSetting', 'setSwitch', 'setUpAgent'] as const),
  ...(['settings', 'signOutWindows', 'startDemo', 'terminalEnded', 'testOutside', 'testProvider'] as const),
  ...(['tryProvider', 'underWay', 'undoAgentSetup', 'undoConfig', 'updateProvider', 'useAccess'] as const),
  'writeTerminal',
  'phoneWays',
  'servePhonesAt',
  'setDeviceRights',
  'askForGoal',
  'addMcpKey',
  'removeMcpKey',
  'terminalOf',
]

describe('the rights of a device', () => {
  const all = Object.keys(operations) as OperationName[]

  it('are decided for every operation that there is', () => {
    const allowed = all.filter((name) => rightOf(name) !== null)
    expect([...allowed, ...denied].toSorted()).toEqual(all.toSorted())
  })

  it('let it do what is named for them, and nothing else', async () => {
    const { devices } = await scene()
    for (const right of deviceRights) {
      const { id } = await pair(devices, [right])
      for (const name of [...all, 'unheard-of', '__proto__', 'toString'])
        expect(may(devices, id, name), `${right}: ${name}`).toBe(
          [right, 'look'].includes(rightOf(name) ?? '') ? 'yes' : 'device-may-not',
        )
    }
  })
})

describe('what a device asks of another machine', () => {
  it('takes the right that it takes here', async () => {
    const { devices } = await scene()
    const { id } = await pair(devices, ['look', 'say'])
    const context = devices.contextOf(id)
    for (const operation of ['say', 'sessions', 'moveEntry', 'follow'])
      expect(() => context?.check('callThere', operation)).not.toThrow()
    for (const operation of ['answerDialog', 'openTerminal', 'deleteSession', 'callThere', '', '__proto__'])
      expect(() => context?.check('callThere', operation), operation).toThrow()
  })
})

describe('rights that are changed', () => {
  it('count from the next call on, also of a connection that is open, are on the disk, and keep the look', async () => {
    const { devices, files } = await scene()
    const { id } = await pair(devices, ['look', 'answer'])
    const context = devices.contextOf(id)
    let told = 0
    devices.onChanged(() => told++)
    expect(await devices.setRights('Phone', ['say'])).toMatchObject({ id, rights: ['look', 'say'] })
    expect(() => context?.check('answerDialog')).toThrow('lacks the right “answer”')
    expect(() => context?.check('say')).not.toThrow()
    expect(told).toBe(1)
    expect((await scene(files)).devices.list()).toMatchObject([{ rights: ['look', 'say'] }])
  })
})

describe('devices that a policy forbids', () => {
  it('are not paired, not let in and cut off, and are back when it ends', async () => {
    let why: OnwardError | null = null
    const files = memoryFiles()
    const own = { home: '/home', files, clock: virtualClock(), random: systemRandom(), log: silentLog }
    const devices = await openDevices({ ...own, forbidden: () => why })
    const { id } = await pair(devices)
    await devices.setPush(id, { endpoint: 'https://push.example', p256dh: 'p', auth: 'a' })
    const code = devices.newPairing(['look'])
    const context = devices.contextOf(id)
    const ended: string[] = []
    devices.onRevoked((one) => ended.push(one))
    devices.look()
    expect(ended).toEqual([])

    why = new OnwardError('held-by-policy', 'No phones.')
    devices.look()
    expect(ended).toEqual([id])
    expect(() => devices.newPairing(['look'])).toThrow('No phones.')
    expect(() => context?.check('status')).toThrow('No phones.')
    expect([devices.keys.keyOf(id), devices.keys.keyOf(code.id), devices.pushed()]).toEqual([null, null, []])
    await expect(claim(devices, code, 'Late')).rejects.toThrow('No phones.')

    why = null
    expect([devices.keys.keyOf(id) === null, devices.pushed().length, devices.list().length]).toEqual([false, 1, 1])
  })
})

describe('a device that is revoked', () => {
  it('may do nothing from that moment on, is told to its connections, and never becomes a person', async () => {
    const { devices, files } = await scene()
    const [lost, other] = [await pair(devices, deviceRights), await pair(devices, ['look'], 'Tablet')]
    const ended: string[] = []
    devices.onRevoked((id) => ended.push(id))
    const context = devices.contextOf(lost.id)
    const done = devices.revoke('Phone')
    expect(ended).toEqual([lost.id])
    expect(() => context?.check('follow')).toThrow('revoked')
    expect(may(devices, lost.id, 'status')).toBe('device-revoked')
    expect(devices.keys.keyOf(lost.id)).toBeNull()
    await done
    expect(devices.list().map(({ id }) => id)).toEqual([other.id])
    expect(files.content.get(path)).not.toContain(lost.id)
  })

  it('is not brought back by a write that was under way', async () => {
    const files = memoryFiles()
    const { devices } = await scene(files)
    const { id } = await pair(devices)
    let release = () => {}
    const waits = new Promise<void>((resolve) => (release = resolve))
    const write = files.writeAtomic
    files.writeAtomic = async (...args) => {
      await waits
      return write(...args)
    }
    const seen = devices.rename(id, 'Other')
    const gone = devices.revoke(id)
    release()
    await Promise.allSettled([seen, gone])
    expect(devices.list()).toEqual([])
    expect(files.content.get(path)).not.toContain(id)
  })

  it('is out also where the disk does not take it, and that is said', async () => {
    const files = memoryFiles()
    const { devices } = await scene(files)
    const { id } = await pair(devices)
    files.writeAtomic = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    await expect(devices.revoke(id)).rejects.toMatchObject({ code: 'store-failed' })
    expect(devices.keys.keyOf(id)).toBeNull()
  })
})

describe('the subscription of a device', () => {
  const push = { endpoint: 'https://push.example.net/a', p256dh: 'B', auth: 'x' }

  it('is kept with it, shown to nobody, and goes with it', async () => {
    const { devices, files } = await scene()
    const { id } = await pair(devices)
    await devices.setPush(id, push)
    expect(devices.pushed()).toEqual([{ id, name: 'Phone', here: false, push }])
    expect(JSON.stringify(devices.list())).not.toContain('example.net')
    expect((await scene(files)).devices.pushed()).toMatchObject([{ id, push }])
    await devices.revoke(id)
    expect(devices.pushed()).toEqual([])
    expect(files.content.get(path)).not.toContain('example.net')
  })

  it('is ended by a push service only where it is that one still', async () => {
    const { devices } = await scene()
    const { id } = await pair(devices)
    await devices.setPush(id, push)
    await devices.setPush(id, null, 'https://push.example.net/older')
    expect(devices.pushed()).toHaveLength(1)
    await devices.setPush(id, null, push.endpoint)
    expect(devices.list()).toMatchObject([{ push: false }])
  })
})

describe('the list of devices', () => {
  it('says when each was last there, and whether it is now', async () => {
    const { clock, devices } = await scene()
    const { id } = await pair(devices)
    await clock.advance(60_000)
    const gone = devices.connected(id)
    await devices.rename(id, 'Pixel')
    expect(devices.list()).toMatchObject([{ name: 'Pixel', here: true, seenAt: clock.now() }])
    await clock.advance(60_000)
    gone()
    await devices.rename(id, 'Pixel 9')
    expect(devices.list()).toMatchObject([{ here: false, seenAt: clock.now() }])
  })

  it('finds one by its name or the beginning of its id, and no one else', async () => {
    const { devices } = await scene()
    const first = await pair(devices)
    await pair(devices)
    await expect(devices.rename('Phone', 'x')).rejects.toMatchObject({ code: 'device-ambiguous' })
    await expect(devices.rename('Tablet', 'x')).rejects.toMatchObject({ code: 'device-unknown' })
    expect(await devices.rename(first.id.slice(0, 20), 'Mine')).toMatchObject({ id: first.id, name: 'Mine' })
  })

  it('is empty and kept beside where its file is damaged: no device gets in by that', async () => {
    const files = memoryFiles()
    files.content.set(path, '{"format":1,"devices":[{"id":"x"')
    const { devices } = await scene(files)
    expect(devices.list()).toEqual([])
    expect([...files.content.keys()]).toEqual([expect.stringMatching(/^\/home\/devices\.json\.corrupt-/)])
  })

  it('has room for 32', async () => {
    const { devices } = await scene()
    for (let n = 0; n < 32; n++) await pair(devices)
    expect(() => devices.newPairing([])).toThrow('Revoke one first')
  })
})
