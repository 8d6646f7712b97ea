/** On Linux: with buttons where the desktop has them, by the bus; else as Electron shows them. */
import { EventEmitter } from 'node:events'
import type { NotificationConstructorOptions } from 'electron'
import { messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import { openDbus } from './dbus.ts'
import { connectNotificationServer, type NotificationServer } from './notification-server.ts'
import type { NotificationClass } from './notifications.ts'
import { sessionBusAddress } from './bus-address.ts'

export interface LinuxNotificationsDeps {
  /** Electron's own */
  usual: NotificationClass
  /** @throws when nothing on the bus shows notifications */
  connect(): Promise<{ server: NotificationServer; ended: Promise<void> }>
  log: Log
}

/** Finds the server of this person's notifications. @throws when there is no bus, or no server on it */
export async function notificationServerOf(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ server: NotificationServer; ended: Promise<void> }> {
  const dbus = await openDbus(sessionBusAddress(env))
  try {
    return { server: await connectNotificationServer(dbus), ended: dbus.ended }
  } catch (error) {
    dbus.close()
    throw error
  }
}

export function linuxNotifications({ usual, connect, log }: LinuxNotificationsDeps): NotificationClass {
  let server: Promise<NotificationServer | null> | null = null
  /** Another service may show notifications after this one has ended, so it is looked up again. */
  const withButtons = (): Promise<NotificationServer | null> =>
    (server ??= connect().then(
      ({ server: found, ended }) => {
        void ended.then(() => (server = null))
        return found.hasButtons ? found : null
      },
      (error: unknown) => {
        log.info({ error: messageOf(error) }, 'notifications without buttons: nothing on the session bus shows them')
        server = null
        return null
      },
    ))

  class LinuxNotification extends EventEmitter {
    readonly #options: NotificationConstructorOptions
    #shown: { close(): void } | 'closed' | null = null
    static isSupported(): boolean {
      return usual.isSupported()
    }
    constructor(options: NotificationConstructorOptions) {
      super()
      this.#options = options
    }
    show(): void {
      void this.#show().catch((error: unknown) => this.emit('failed', {}, messageOf(error)))
    }
    close(): void {
      if (this.#shown !== null && this.#shown !== 'closed') this.#shown.close()
      this.#shown = 'closed'
    }
    async #show(): Promise<void> {
      const { title = '', body = '', actions = [], icon } = this.#options
      const by = actions.length > 0 ? await withButtons() : null
      if (this.#shown === 'closed') return
      if (by === null) return this.#showUsual()
      const id = await by.show(
        { title, body, buttons: actions.map(({ text = '' }) => text), icon: typeof icon === 'string' ? icon : '' },
        {
          click: () => this.emit('click', {}),
          button: (index) => this.emit('action', { actionIndex: index }, index),
          closed: () => this.emit('close', {}),
        },
      )
      const shown = {
        close: () => void by.close(id).catch((error: unknown) => log.info({ error: messageOf(error) }, 'not closed')),
      }
      // Closed while it was on its way.
      if (this.#isClosed()) return shown.close()
      this.#shown = shown
      this.emit('show', {})
    }
    #isClosed(): boolean {
      return this.#shown === 'closed'
    }
    #showUsual(): void {
      const usualOne = new usual(this.#options)
      this.#shown = usualOne
      usualOne.on('show', () => this.emit('show', {}))
      usualOne.on('click', () => this.emit('click', {}))
      usualOne.on('close', () => this.emit('close', {}))
      usualOne.on('failed', (_event, why) => this.emit('failed', {}, why))
      usualOne.on('action', (_event, index) => this.emit('action', { actionIndex: index }, index))
      usualOne.show()
    }
  }
  // Electron types `on` once per event, which an emitter can't spell.
  return LinuxNotification as unknown as NotificationClass
}
