/** Devices at a real control server, over real sockets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { controlPath } from '../../../../shared/control/address.ts'
import { homeId, newDeviceKey, pageCredential, type Credential } from '../../../../shared/control/proof.ts'
import { provenSocket } from '../../../../shared/control/proven-socket.ts'
import type { ControlRouter } from '../../../../shared/control/router.ts'
import type { DeviceRight } from '../../../../shared/devices.ts'
import { operations } from '../../../../shared/operations/index.ts'
import { rightOf } from '../../../../shared/operations/rights.ts'
import type { EngineUpdate } from '../../../../shared/state.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { systemRandom } from '../../base/ids.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { fakeControlApi, sampleStatus } from '../testing/fake-control-api.ts'
import { createViewHub } from '../views/hub.ts'
import { listenControl } from '../testing/listen.ts'
import { openDevices, type Devices } from '../devices.ts'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function scene() {
  const devices = await openDevices({
    home: '/home',
    files: memoryFiles(),
    clock: systemClock(),
    random: systemRandom(),
    log: silentLog,
  })
  const said: string[] = []
  const status: EngineUpdate = { type: 'status', status: sampleStatus() }
  const all = () => ({ devices: devices.list() })
  const unasked = () => status
  const hub = createViewHub({
    clock: systemClock(),
    snapshot: async () => ({ type: 'snapshot', status: sampleStatus(), sessions: [], terminals: [], ...all() }),
    session: unasked,
    terminal: unasked,
    status: unasked,
    providers: unasked,
    alarms: unasked,
  })
  devices.onChanged(() => hub.publish({ type: 'devices', ...all() }))
  const api = fakeControlApi({
    status: async () => sampleStatus(),
    async say({ text }) {
      said.push(text)
      throw new Error('said')
    },
    follow: hub.follow,
  })
  const ofDevice = (id: string) => ({ ownPush: async () => ({ key: id, endpoint: null }) })
  const listening = await listenControl(api, { devices: { ...devices, ofDevice } })
  closing.push(listening.close)
  return { devices, said, ...listening }
}

/** As the page opens it: proved, then tRPC. */
function dial(port: number, credential: Credential, host = '127.0.0.1') {
  let exchanged = (_credential: Credential) => {}
  const made = new Promise<Credential>((resolve) => (exchanged = resolve))
  let ended = (_code: number) => {}
  const code = new Promise<number>((resolve) => (ended = resolve))
  const client = createWSClient({
    url: `ws://${host}:${port}${controlPath}`,
    WebSocket: provenSocket({
      WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
      credential: () => credential,
      path: controlPath,
      onAdmitted: async (exchange) => exchanged(await pageCredential(credential.key, exchange, 'device')),
    }),
    retryDelayMs: () => 2 ** 31 - 1,
    onClose: (cause) => ended(cause?.code ?? 0),
  })
  closing.push(() => void client.close())
  return { api: createTRPCClient<ControlRouter>({ links: [wsLink({ client })] }), made, code }
}

async function pair(devices: Devices, port: number, rights: readonly DeviceRight[]): Promise<Credential> {
  const opened = dial(port, devices.newPairing(rights))
  const { own, publicKey } = await newDeviceKey()
  await opened.api.pairDevice.mutate({ name: 'Phone', publicKey })
  return { ...(await opened.made), own }
}

describe('a paired device', () => {
  it('asks what its rights name, and is told why not for all else', async () => {
    const { devices, port, said } = await scene()
    const { api } = dial(port, await pair(devices, port, ['look']))
    expect(await api.status.query()).toMatchObject({ pid: 4242 })
    await expect(api.say.mutate({ session: 's', text: 'rm -rf' })).rejects.toMatchObject({
      data: { onwardCode: 'device-may-not', onwardFacts: { operation: 'say', right: 'say' } },
    })
    expect(said).toEqual([])
    const able = dial(port, await pair(devices, port, ['say']))
    await expect(able.api.say.mutate({ session: 's', text: 'go on' })).rejects.toThrow('said')
    expect(said).toEqual(['go on'])
  })

  it('comes to no operation that is not named for devices, whatever it sends with it', async () => {
    const { devices, port } = await scene()
    const { api } = dial(port, await pair(devices, port, ['look', 'answer', 'say', 'arm']))
    const others = Object.entries(operations).filter(([name]) => rightOf(name) === null)
    for (const [name, { kind }] of others) {
      const call = Reflect.get(api, name) as Record<string, (input: unknown) => Promise<unknown>>
      const asked =
        kind === 'subscription'
          ? new Promise((onData, onError) =>
              (Reflect.get(api, name) as typeof api.followThere).subscribe('nonsense' as never, { onData, onError }),
            )
          : call[kind === 'query' ? 'query' : 'mutate']?.('nonsense')
      await expect(asked, name).rejects.toMatchObject({ data: { onwardCode: 'device-may-not' } })
    }
  })

  it('hears its own rights with the first it is sent, and when they change, and of no other device', async () => {
    const { devices, port } = await scene()
    const credential = await pair(devices, port, ['look'])
    await pair(devices, port, ['arm'])
    const opened = dial(port, credential)
    const heard: EngineUpdate[] = []
    const rightsOf = (update: EngineUpdate) => ('rights' in update ? update.rights : undefined)
    await new Promise<void>((resolve) =>
      opened.api.follow.subscribe(undefined, {
        onData(update) {
          heard.push(update)
          if (update.type === 'snapshot') void devices.setRights(credential.id, ['say'])
          if (rightsOf(update)?.includes('say')) resolve()
        },
      }),
    )
    expect(heard[0]).toMatchObject({ type: 'snapshot', rights: ['look'] })
    expect(rightsOf(heard.at(-1) as EngineUpdate)).toEqual(['look', 'say'])
    expect(JSON.stringify(heard)).not.toContain('"devices"')
    await expect(opened.api.say.mutate({ session: 's', text: 'go on' })).rejects.toThrow('said')
  })

  it('is cut off at once when it is revoked while it follows, and does not come back', async () => {
    const { devices, port } = await scene()
    const credential = await pair(devices, port, ['look'])
    const opened = dial(port, credential)
    await new Promise((resolve) => opened.api.follow.subscribe(undefined, { onData: resolve }))
    await devices.revoke(credential.id)
    expect(await opened.code).toBe(4401)
    expect(await dial(port, credential).code).toBe(4401)
  })

  it('asks about its own push, and about no other’s', async () => {
    const { devices, port } = await scene()
    const [one, other] = [await pair(devices, port, ['look']), await pair(devices, port, ['look'])]
    expect(await dial(port, one).api.ownPush.query()).toMatchObject({ key: one.id })
    expect(await dial(port, other).api.ownPush.query()).toMatchObject({ key: other.id })
  })

  it('stays when all windows are signed out', async () => {
    const { devices, port, control, token } = await scene()
    const phone = dial(port, await pair(devices, port, ['look']))
    const window = dial(port, { id: homeId, key: token })
    await Promise.all([phone.api.status.query(), window.api.status.query()])
    control.signOut()
    expect(await window.code).toBe(4401)
    expect(await phone.api.status.query()).toMatchObject({ pid: 4242 })
  })

  it('is no one without its own key: what the engine keeps of it, or saw of it, lets nobody in', async () => {
    const { devices, port } = await scene()
    const { id, key } = await pair(devices, port, ['look'])
    expect(await dial(port, { id, key }).code).toBe(4401)
    const { own } = await newDeviceKey()
    expect(await dial(port, { id, key, own }).code).toBe(4401)
  })

  it('is not served over plain HTTP that others can read', async () => {
    const { devices, port, control } = await scene()
    const credential = await pair(devices, port, ['look'])
    const http = createServer()
    http.on('upgrade', (request, socket, head) => {
      // as where it came over a network
      Object.defineProperty(socket, 'localAddress', { value: '192.0.2.7' })
      control.handleUpgrade(request, socket, head)
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    closing.push(() => void http.close())
    const open = (http.address() as AddressInfo).port
    expect(await dial(open, credential).code).toBe(4401)
    expect(await dial(open, devices.newPairing([])).code).toBe(4401)
    expect(await dial(port, credential).api.status.query()).toMatchObject({ pid: 4242 })
  })
})
