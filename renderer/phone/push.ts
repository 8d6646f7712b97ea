/** Web push as this browser has it. */
import type { PushTarget, PushView } from '../../shared/devices.ts'

/** `install`: only from the home screen; `blocked`: its person forbade notifications */
export type PushAbility = 'yes' | 'untrusted' | 'install' | 'blocked' | 'none'

export function pushAbility(
  win: Window & typeof globalThis,
  registration: ServiceWorkerRegistration | null,
): PushAbility {
  if (!registration) return 'untrusted'
  const { navigator } = win
  if (!('PushManager' in win)) return 'standalone' in navigator && navigator.standalone !== true ? 'install' : 'none'
  return win.Notification.permission === 'denied' ? 'blocked' : 'yes'
}

/** Without that it was never switched on. */
export const isAllowed = (win: Window & typeof globalThis): boolean =>
  'Notification' in win && win.Notification.permission === 'granted'

/** This very subscription, for this very key. */
export async function isPushed({ pushManager }: ServiceWorkerRegistration, view: PushView): Promise<boolean> {
  const there = await pushManager.getSubscription()
  return there !== null && there.endpoint === view.endpoint && keyOf(there) === view.key
}

/** @throws DOMException where the browser or its person refuses */
export async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushTarget> {
  const old = await pushManager.getSubscription()
  if (old && keyOf(old) !== key) await old.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint = '', keys } = made.toJSON()
  return { endpoint, p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' }
}

export async function unsubscribe({ pushManager }: ServiceWorkerRegistration): Promise<void> {
  await (await pushManager.getSubscription())?.unsubscribe()
}

const keyOf = ({ options }: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
