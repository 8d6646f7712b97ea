import { EventEmitter } from 'node:events'
import type { NotificationConstructorOptions } from 'electron'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../engine/base/log.ts'
import { unless } from '../../../shared/testing/unless.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { openDbus } from './dbus.ts'
import { linuxNotifications } from './linux-notifications.ts'
import { connectNotificationServer } from './notification-server.ts'
import type { NotificationClass } from './notifications.ts'
import { noBus, showsNotifications, startBus } from '../testing/session-bus.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

/** Electron's own, which has no buttons here. */
function electronsOwn() {
  const shown: NotificationConstructorOptions[] = []
  class Usual extends EventEmitter {
    readonly options: NotificationConstructorOptions
    constructor(options: NotificationConstructorOptions) {
      super()
      this.options = options
    }
    show(): void {
      shown.push(this.options)
      queueMicrotask(() => this.emit('show', {}))
    }
    close(): void {
      this.emit('close', {})
    }
    static isSupported(): boolean {
      return true
    }
  }
  return { shown, Usual: Usual as unknown as NotificationClass }
}

const ask = {
  title: 'a & b',
  body: '<b>now</b>',
  actions: [
    { type: 'button' as const, text: 'Snooze' },
    { type: 'button' as const, text: 'Cancel' },
  ],
}

async function scene(capabilities: readonly string[] | null) {
  const bus = await startBus()
  cleanUp.push(() => bus.stop())
  const desktop = capabilities === null ? null : await showsNotifications(bus.address, capabilities)
  if (desktop) cleanUp.push(() => desktop.leave())
  const own = electronsOwn()
  let connected = 0
  const Shown = linuxNotifications({
    usual: own.Usual,
    log: silentLog,
    async connect() {
      connected++
      const dbus = await openDbus(bus.address)
      cleanUp.push(() => dbus.close())
      return { server: await connectNotificationServer(dbus), ended: dbus.ended }
    },
  })
  const show = (options: NotificationConstructorOptions = ask) => {
    const said: unknown[] = []
    const one = new Shown(options)
    one.on('show', () => said.push('show'))
    one.on('click', () => said.push('click'))
    one.on('close', () => said.push('close'))
    one.on('action', (_event, index) => said.push(index))
    one.on('failed', (_event, why) => said.push(why))
    one.show()
    return { one, said }
  }
  return { bus, desktop, own, show, connected: () => connected }
}

describe(`notifications on a real session bus${noBus ? ` (${noBus})` : ''}`, unless(noBus), () => {
  it('have buttons where the desktop has them, and a click', async () => {
    const { desktop, own, show } = await scene(['body', 'actions', 'body-markup'])
    const { said } = show()
    await waitFor('that it is shown', () => said.includes('show'))
    expect(desktop?.shown[0]).toMatchObject({
      app: 'Onward',
      title: 'a & b',
      body: '&lt;b&gt;now&lt;/b&gt;',
      actions: ['default', '', '0', 'Snooze', '1', 'Cancel'],
    })
    expect(JSON.stringify(desktop?.shown[0]?.hints)).toContain('onward-desktop')
    desktop?.invoke(1, '1')
    desktop?.invoke(1, 'default')
    desktop?.dismiss(1)
    await waitFor('all of it', () => said.length === 4)
    expect(said).toEqual(['show', 1, 'click', 'close'])
    expect(own.shown).toEqual([])
  })

  it('are put away, also one that was on its way', async () => {
    const { desktop, show } = await scene(['actions'])
    const { one, said } = show()
    await waitFor('that it is shown', () => said.includes('show'))
    expect(desktop?.shown[0]?.body).toBe('<b>now</b>')
    one.close()
    await waitFor('that it is closed', () => said.includes('close'))
    expect(desktop?.closed).toEqual([1])
    const second = show()
    second.one.close()
    const third = show()
    await waitFor('the next', () => third.said.includes('show'))
    expect(second.said).toEqual([])
  })

  it.each([
    ['of a desktop without buttons', ['body']],
    ['where nothing shows any', null],
  ])('%s are Electron’s own', async (_what, capabilities) => {
    const { own, desktop, show } = await scene(capabilities)
    const { said } = show()
    await waitFor('that it is shown', () => said.includes('show'))
    expect(own.shown).toEqual([ask])
    expect(desktop?.shown ?? []).toEqual([])
  })

  it('without a button don’t ask the bus', async () => {
    const { own, show, connected } = await scene(['actions'])
    const { said } = show({ title: 'x', actions: [] })
    await waitFor('that it is shown', () => said.includes('show'))
    expect([own.shown.length, connected()]).toEqual([1, 0])
  })

  it('of a bus that ends are closed, and the next one is shown by Electron', async () => {
    const { bus, own, show } = await scene(['actions'])
    const { said } = show()
    await waitFor('that it is shown', () => said.includes('show'))
    await bus.stop()
    await waitFor('that it is closed', () => said.includes('close'))
    const next = show()
    await waitFor('the next', () => next.said.includes('show'))
    expect(own.shown).toHaveLength(1)
  })
})
