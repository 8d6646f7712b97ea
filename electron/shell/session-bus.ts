import { createConnection, type Socket } from 'node:net'
import { encodeCall, firstMessage } from './dbus-message.ts'

/** Whoever asks waits for a window to close, so this is short; a bus on the same machine answers in a millisecond. */
const answerWithinMs = 1_000

const bus = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const

/**
 * Whether somebody on the person's session bus owns a name.
 * @param address as in `DBUS_SESSION_BUS_ADDRESS`
 * @throws when the bus can't be reached or does not answer in time
 */
export function nameHasOwner(address: string, uid: number, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const path = socketPath(address)
    if (path === null) return reject(new Error(`no bus address that can be used: ${address}`))
    const socket = createConnection(path)
    socket.setTimeout(answerWithinMs, () => socket.destroy(new Error('the session bus does not answer')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the session bus closed the connection')))
    socket.once('connect', () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\n`))
    converse(socket, name, (answer) => {
      resolve(answer)
      socket.destroy()
    })
  })
}

/**
 * D-Bus Specification, "Authentication Protocol": lines until BEGIN, messages from then on. The first call must be
 * Hello.
 */
function converse(socket: Socket, name: string, onAnswer: (owned: boolean) => void): void {
  let received = Buffer.alloc(0)
  let begun = false
  const read = () => {
    if (!begun) {
      const end = received.indexOf('\r\n')
      if (end < 0) return
      if (!received.subarray(0, end).toString('latin1').startsWith('OK ')) throw new Error('the session bus refuses us')
      received = received.subarray(end + 2)
      begun = true
      socket.write(
        Buffer.concat([
          Buffer.from('BEGIN\r\n'),
          encodeCall({ ...bus, serial: 1, member: 'Hello', args: [] }),
          encodeCall({ ...bus, serial: 2, member: 'NameHasOwner', args: [name] }),
        ]),
      )
    }
    for (let message = firstMessage(received); message; message = firstMessage(received)) {
      received = received.subarray(message.size)
      if (message.kind === 'error') throw new Error('the session bus answers with an error')
      if (message.kind === 'return' && message.replyTo === 2) return onAnswer(message.body.readUInt32LE(0) === 1)
    }
  }
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
    try {
      read()
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Where the bus of this person is; systemd puts it there where no variable says. */
export const sessionBusAddress = (
  env: Readonly<Record<string, string | undefined>>,
  uid: number = process.getuid?.() ?? 0,
): string => env.DBUS_SESSION_BUS_ADDRESS || `unix:path=/run/user/${uid}/bus`

/** `unix:path=/run/user/1000/bus` or `unix:abstract=/tmp/x,guid=…`, the first that can be used of a list. */
export function socketPath(address: string): string | null {
  for (const one of address.split(';')) {
    const [transport, rest = ''] = one.split(/:(.*)/s)
    if (transport !== 'unix') continue
    const keys = new Map(
      rest.split(',').map((pair) => {
        const [key = '', value = ''] = pair.split(/=(.*)/s)
        return [key, decodeURIComponent(value)]
      }),
    )
    const path = keys.get('path')
    if (path) return path
    const abstract = keys.get('abstract')
    if (abstract) return `\0${abstract}`
  }
  return null
}
