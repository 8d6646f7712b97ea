import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { homeId, proveWithinMs } from '../../../../shared/control/proof.ts'
import { proveToEngine, type PlainSocket } from '../../../../shared/control/prove-to-engine.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { checkOwnSocket, socketAt } from '../../base/network/own-socket.ts'
import { hostPath } from './messages.ts'
import type { TerminalHost } from './terminal-host.ts'

/** The note that an engine of this home writes when it is ready (control/attach.ts). */
const engineNote = z.object({ socket: z.string() })

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/** An engine that leaves this much unread (bytes) hangs; its output is not kept for it. */
const MOST_UNREAD = 64 * 1024 * 1024

/**
 * Keeps the host connected to the engine that runs on this home, for ever, over the engine's own socket. Until that
 * engine has proved that it can read the home, the host sends nothing and obeys no order.
 */
export function stayConnected(options: { home: string; host: TerminalHost; clock: Clock; log: Log }): Disposable {
  const { home, host, clock, log } = options
  let socket: WebSocket | null = null
  let retry: Disposable | null = null
  let wait = FIRST_RETRY_MS
  let stopped = false

  const again = () => {
    if (stopped) return
    retry = clock.after(wait, () => {
      void connect()
    })
    wait = Math.min(LAST_RETRY_MS, wait * 2)
  }
  const prove = async (made: WebSocket, token: string): Promise<boolean> => {
    // ws has all the parts of a browser's socket that are used here; its listener types are its own
    const proved = await proveToEngine(made as unknown as PlainSocket, { id: homeId, key: token }, hostPath)
    if (proved.kind === 'stranger') throw new Error('it does not hold this home’s control token')
    return proved.kind === 'admitted'
  }
  const converse = (made: WebSocket) => {
    made.on('message', (data) => {
      // an engine that refuses this host closes without a word: it is not tried again at once
      wait = FIRST_RETRY_MS
      host.receive(String(data))
    })
    // Ends that came while no engine was connected go with the hello; from here on everything is sent as it happens.
    made.send(JSON.stringify(host.hello()))
    host.connected((message) => {
      if (made.readyState !== made.OPEN) return
      made.send(JSON.stringify(message))
      if (made.bufferedAmount > MOST_UNREAD) made.terminate()
    })
  }
  const connect = async () => {
    const found = await findEngine(home).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the engine of this home can’t be reached')
      return null
    })
    if (stopped) return
    if (!found) return again()
    const OwnSocket = socketAt(found.socket, { handshakeTimeout: proveWithinMs })
    const made = new OwnSocket(`ws://onward${hostPath}`)
    socket = made
    made.on('open', () => {
      const late = clock.after(proveWithinMs, () => made.terminate())
      prove(made, found.token)
        .catch((error: unknown) => {
          log.warn({ error: messageOf(error) }, 'what listens on the engine’s socket is not spoken to')
          made.terminate()
          return false
        })
        .then((proved) => {
          late.dispose()
          if (proved) converse(made)
        })
    })
    made.on('error', (error) => log.debug({ error: error.message }, 'no engine'))
    made.on('close', () => {
      if (socket === made) socket = null
      host.connected(null)
      again()
    })
  }
  void connect()
  return {
    dispose() {
      stopped = true
      retry?.dispose()
      socket?.close()
    },
  }
}

async function findEngine(home: string): Promise<{ socket: string; token: string } | null> {
  try {
    const [note, token] = await Promise.all([
      readFile(join(home, 'engine.json'), 'utf8'),
      readFile(join(home, 'control-token'), 'utf8'),
    ])
    const { socket } = engineNote.parse(JSON.parse(note))
    await checkOwnSocket(socket, home)
    return { socket, token: token.trim() }
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
