/** One connection to the person's session bus. The library is loaded when something is first asked of it. */
import { createConnection, type Socket } from 'node:net'
import { socketPath } from './session-bus.ts'

export interface DbusCall {
  destination: string
  path: string
  interface: string
  member: string
  signature?: string
  body?: readonly unknown[]
}

export interface DbusSignal {
  path: string
  interface: string
  member: string
}

export interface Dbus {
  /** @throws with what the other side said */
  call(call: DbusCall): Promise<readonly unknown[]>
  onSignal(signal: DbusSignal, act: (body: readonly unknown[]) => void): Promise<void>
  /** resolves when it ended, whoever ended it */
  ended: Promise<void>
  close(): void
}

/** As far as it is used; its own types leave this out. */
interface Library {
  createClient(options: { stream: Socket }): {
    connection: { on(event: 'error' | 'end', act: (error?: Error) => void): void }
    invoke(
      call: DbusCall,
      answer: (error: { name?: string; message?: string } | null, ...body: unknown[]) => void,
    ): void
    addMatch(rule: string, answer: (error: { message?: string } | null) => void): void
    mangle(path: string, iface: string, member: string): string
    signals: { on(name: string, act: (body: readonly unknown[] | undefined) => void): void }
  }
}

/**
 * @param address as in `DBUS_SESSION_BUS_ADDRESS`
 * @throws when the bus can't be reached
 */
export async function openDbus(address: string): Promise<Dbus> {
  const path = socketPath(address)
  if (path === null) throw new Error(`no bus address that can be used: ${address}`)
  const stream = createConnection(path)
  await new Promise<void>((resolve, reject) => stream.once('connect', resolve).once('error', reject))
  const loaded: unknown = await import('@homebridge/dbus-native')
  const bus = (loaded as { default: Library }).default.createClient({ stream })
  let why = 'the session bus closed the connection'
  const ended = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  bus.connection.on('error', (error) => {
    why = error?.message ?? why
    stream.destroy()
  })
  // One that hangs up in the middle leaves calls without an answer.
  const answered = <T>(ask: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      void ended.then(() => reject(new Error(why)))
      ask(resolve, reject)
    })
  return {
    ended,
    close: () => stream.destroy(),
    call: (call) =>
      answered((resolve, reject) =>
        bus.invoke(call, (error, ...body) =>
          error
            ? reject(new Error(error.message || error.name || 'the session bus answers with an error'))
            : resolve(body),
        ),
      ),
    async onSignal({ path: from, interface: iface, member }, act) {
      bus.signals.on(bus.mangle(from, iface, member), (body) => act(body ?? []))
      await answered<void>((resolve, reject) =>
        bus.addMatch(`type='signal',path='${from}',interface='${iface}',member='${member}'`, (error) =>
          error ? reject(new Error(error.message)) : resolve(),
        ),
      )
    },
  }
}
