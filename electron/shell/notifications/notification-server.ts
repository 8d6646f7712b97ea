/**
 * The server that shows notifications on a Linux desktop (Desktop Notifications Specification 1.2). Electron gives it
 * no buttons.
 */
import { z } from 'zod'
import type { Dbus } from './dbus.ts'

export interface NoticeShown {
  title: string
  body: string
  buttons: readonly string[]
  icon: string
}

export interface NoticeEvents {
  click(): void
  button(index: number): void
  closed(): void
}

export interface NotificationServer {
  hasButtons: boolean
  /** @returns its id */
  show(notice: NoticeShown, events: NoticeEvents): Promise<number>
  close(id: number): Promise<void>
}

const name = 'org.freedesktop.Notifications'
const path = '/org/freedesktop/Notifications'
/** the action of a click anywhere on it */
const anywhere = 'default'

const capabilitiesShape = z.tuple([z.array(z.string())])
const idShape = z.tuple([z.number()])
const closedShape = z.tuple([z.number(), z.number()])
const invokedShape = z.tuple([z.number(), z.string()])

/** @throws when nothing on this bus shows notifications */
export async function connectNotificationServer(dbus: Dbus): Promise<NotificationServer> {
  const call = (member: string, signature = '', body: readonly unknown[] = []) =>
    dbus.call({
      destination: name,
      path,
      interface: name,
      member,
      ...(signature === '' ? {} : { signature, body }),
    })
  const [capabilities] = capabilitiesShape.parse(await call('GetCapabilities'))
  const shown = new Map<number, NoticeEvents>()
  // Words of a session are words, whatever the server would make of them.
  const plain = (text: string) =>
    capabilities.includes('body-markup')
      ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      : text
  await dbus.onSignal({ path, interface: name, member: 'ActionInvoked' }, (body) => {
    const [id, action] = invokedShape.parse(body)
    const events = shown.get(id)
    if (action === anywhere) events?.click()
    else events?.button(Number(action))
  })
  await dbus.onSignal({ path, interface: name, member: 'NotificationClosed' }, (body) => {
    const [id] = closedShape.parse(body)
    const events = shown.get(id)
    shown.delete(id)
    events?.closed()
  })
  void dbus.ended.then(() => {
    for (const events of shown.values()) events.closed()
    shown.clear()
  })
  return {
    hasButtons: capabilities.includes('actions'),
    async show({ title, body, buttons, icon }, events) {
      const actions = [anywhere, '', ...buttons.flatMap((label, i) => [String(i), label])]
      // The desktop finds the app's name and its settings for notifications by the desktop entry.
      const hints = [['desktop-entry', ['s', 'onward-desktop']]]
      const args = ['Onward', 0, icon, title, plain(body), actions, hints, -1]
      const [id] = idShape.parse(await call('Notify', 'susssasa{sv}i', args))
      shown.set(id, events)
      return id
    },
    async close(id) {
      await call('CloseNotification', 'u', [id])
    },
  }
}
