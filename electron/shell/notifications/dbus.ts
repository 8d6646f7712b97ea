/** One connection to the person's session bus. The library is loaded when something is first asked of it. */
import { createConnection, type Socket } from 'node:net'
import { socketPath } from './bus-address.ts'

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
  /** resolves when the connection ended, from either side */
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

/** The caller waits for a window to close, so this is short; a bus on the same machine answers in a millisecond. */
const answerWithinMs = 1_000

/**
 * True if a program on the person's session bus owns a name.
 * @param address as in `DBUS_SESSION_BUS_ADDRESS`
 * @throws when the bus can't be reached or does not answer in time
 */
export async function nameHasOwner(address: string, name: string): Promise<boolean> {
  const bus = await openDbus(address, { silentMs: answerWithinMs })
  try {
    const [owned] = await bus.call({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'NameHasOwner',
      signature: 's',
      body: [name],
    })
    return owned === true
  } finally {
    bus.close()
  }
}

/**
 * @param address as in `DBUS_SESSION_BUS_ADDRESS`
 * @param silentMs it is given up after so long without a byte; for those who only ask one thing
 * @throws when the bus can't be reached
 */
export async function openDbus(address: string, { silentMs = 0 }: { silentMs?: number } = {}): Promise<Dbus> {
  const path = socketPath(address)
  if (path === null) throw new Error(`no bus address that can be used: ${address}`)
  const stream = createConnection(path)
  await new Promise<void>((resolve, reject) => stream.once('connect', resolve).once('error', reject))
  stream.setTimeout(silentMs, () => stream.destroy(new Error('the session bus does not answer')))
  boundReads(stream)
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

/** D-Bus Specification, "Message Protocol": no message is longer than 128 MiB. */
const longestMessage = 2 ** 27

/**
 * The library reads as many bytes as a message says it has, and a number no stream takes would end the app: it ends the
 * connection.
 */
function boundReads(stream: Socket): void {
  const read = stream.read.bind(stream)
  stream.read = (size?: number): unknown => {
    if (size === undefined || size <= longestMessage) return read(size)
    stream.destroy(new Error('the session bus sends what is no message'))
    return null
  }
}
