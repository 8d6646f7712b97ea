/** A real session bus, and desktops on it. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'node:net'
import { createRequire } from 'node:module'

/** Why there can't be one; null: there can. */
export const noBus =
  process.platform !== 'linux'
    ? 'not Linux'
    : spawnSync('dbus-daemon', ['--version']).status === 0
      ? null
      : 'no dbus-daemon here'

export interface TestBus {
  address: string
  stop(): Promise<void>
}

export async function startBus(): Promise<TestBus> {
  const folder = mkdtempSync(join(tmpdir(), 'onward-bus-'))
  const at = join(folder, 'bus')
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1', `--address=unix:path=${at}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const gone = new Promise<void>((done) => daemon.once('exit', () => done()))
  const address = await new Promise<string>((resolve) =>
    daemon.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
  )
  return {
    address,
    async stop() {
      daemon.kill()
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Interface {
  name: string
  methods: Record<string, readonly [string, string]>
  signals?: Record<string, readonly [string]>
  properties?: Record<string, string>
}
/** As far as tests use the library; its own types leave this out. */
export interface TestClient {
  exportInterface(object: object, path: string, iface: Interface): void
  invoke(message: object, answer: (error: unknown) => void): void
  requestName(name: string, flags: number, answer: (error: unknown, code: number) => void): void
  sendSignal(path: string, iface: string, member: string, signature: string, body: readonly unknown[]): void
  connection: { end(): void; on(event: 'error', act: () => void): void; stream: { destroy(): void } }
}

/** A program on the bus, with a name of its own. */
export async function joinBus(address: string, name: string): Promise<TestClient> {
  const library = createRequire(import.meta.url)('@homebridge/dbus-native') as {
    createClient(options: object): TestClient
  }
  const stream = createConnection(address.replace(/^unix:path=([^,]*).*$/, '$1'))
  const client = library.createClient({ stream })
  client.connection.on('error', () => undefined)
  await new Promise<void>((resolve, reject) =>
    client.requestName(name, 0, (error, code) => (error || code !== 1 ? reject(new Error(`no ${name}`)) : resolve())),
  )
  return client
}

export interface ShownNotice {
  id: number
  app: string
  icon: string
  title: string
  body: string
  actions: readonly string[]
  hints: unknown
}
export interface TestNotifications {
  shown: ShownNotice[]
  closed: number[]
  invoke(id: number, action: string): void
  dismiss(id: number): void
  leave(): void
}

/** A desktop that shows notifications. */
export async function showsNotifications(address: string, capabilities: readonly string[]): Promise<TestNotifications> {
  const name = 'org.freedesktop.Notifications'
  const path = '/org/freedesktop/Notifications'
  const client = await joinBus(address, name)
  const shown: ShownNotice[] = []
  const closed: number[] = []
  const dismiss = (id: number) => client.sendSignal(path, name, 'NotificationClosed', 'uu', [id, 2])
  client.exportInterface(
    {
      GetServerInformation: () => ['a test', 'Onward', '1', '1.2'],
      GetCapabilities: () => [...capabilities],
      Notify(
        app: string,
        _replaces: number,
        icon: string,
        title: string,
        body: string,
        actions: string[],
        hints: unknown,
      ) {
        const id = shown.length + 1
        shown.push({ id, app, icon, title, body, actions, hints })
        return id
      },
      CloseNotification(id: number) {
        closed.push(id)
        dismiss(id)
      },
    },
    path,
    {
      name,
      methods: {
        GetServerInformation: ['', 'ssss'],
        GetCapabilities: ['', 'as'],
        Notify: ['susssasa{sv}i', 'u'],
        CloseNotification: ['u', ''],
      },
    },
  )
  return {
    shown,
    closed,
    dismiss,
    invoke: (id, action) => client.sendSignal(path, name, 'ActionInvoked', 'us', [id, action]),
    leave: () => client.connection.stream.destroy(),
  }
}
