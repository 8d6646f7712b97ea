import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { hostPath } from './messages.ts'
import type { TerminalHost } from './terminal-host.ts'

/** How an engine of this home is found: what its own process writes when it is ready (control/attach.ts). */
const engineNote = z.object({ host: z.string(), port: z.number().int() })

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/** An engine that leaves this much unread (bytes) hangs; what it was shown is not kept for it. */
const MOST_UNREAD = 64 * 1024 * 1024

/** Keeps the host connected to whatever engine runs on this home, for ever: also after a restart on another port. */
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
  const connect = async () => {
    const found = await findEngine(home).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the note of the engine can’t be read')
      return null
    })
    if (stopped) return
    if (!found) return again()
    const made = new WebSocket(`ws://${found.host}:${found.port}${hostPath}`, {
      perMessageDeflate: false,
      handshakeTimeout: 5_000,
    })
    socket = made
    made.on('open', () => {
      // What ended while nobody listened goes with the hello; from here on everything is sent as it happens.
      made.send(JSON.stringify(host.hello(found.token)))
      host.connected((message) => {
        if (made.readyState !== WebSocket.OPEN) return
        made.send(JSON.stringify(message))
        if (made.bufferedAmount > MOST_UNREAD) made.terminate()
      })
    })
    made.on('message', (data) => {
      // an engine that refuses this host closes without a word: that one is not asked again at once
      wait = FIRST_RETRY_MS
      host.receive(String(data))
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

async function findEngine(home: string): Promise<{ host: string; port: number; token: string } | null> {
  try {
    const [note, token] = await Promise.all([
      readFile(join(home, 'engine.json'), 'utf8'),
      readFile(join(home, 'control-token'), 'utf8'),
    ])
    return { ...engineNote.parse(JSON.parse(note)), token: token.trim() }
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
