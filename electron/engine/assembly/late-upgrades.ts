import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'

export interface Upgrades extends Disposable {
  /** false: not for us */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}

export interface LateUpgrades<T extends Upgrades> extends Upgrades {
  /** null: there was no connection yet */
  made(): T | null
}

/**
 * Takes the connections of `path`, and is made with the first of them: schemas, tRPC and WebSockets took a fifth of the
 * engine's start, and are loaded after it. Callers wait for their 101 meanwhile, as for anything that takes a moment.
 */
export function lateUpgrades<T extends Upgrades>(path: string, make: () => Promise<T>, log: Log): LateUpgrades<T> {
  let made: T | null = null
  let making: Promise<T> | null = null
  let ended = false
  const keep = (one: T): T => {
    made = one
    if (ended) one.dispose()
    return one
  }
  const handOn = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    // a caller that leaves before that is no error
    const left = () => undefined
    socket.on('error', left)
    try {
      const one = await (making ??= make().then(keep))
      if (ended || !one.handleUpgrade(request, socket, head)) socket.destroy()
    } catch (error) {
      making = null
      log.error({ path, error: messageOf(error) }, 'a connection could not be taken')
      socket.destroy()
    } finally {
      socket.off('error', left)
    }
  }
  return {
    made: () => made,
    handleUpgrade(request, socket, head) {
      if ((request.url ?? '').split('?', 1)[0] !== path) return false
      if (ended) socket.destroy()
      else if (made) return made.handleUpgrade(request, socket, head)
      else void handOn(request, socket, head)
      return true
    },
    dispose() {
      ended = true
      made?.dispose()
    },
  }
}
