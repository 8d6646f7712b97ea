/**
 * The page of a paired device as an app of it: a service worker, and what a browser installs. Browsers give both to a
 * page whose certificate they trust.
 */
import type { StoreApi } from 'zustand'
import { asksForPerson } from '../../shared/asks-for-person.ts'
import type { Actions } from '../control/actions.ts'
import { placeOfSession } from '../notices/leads-to.ts'
import type { EngineState } from '../state/engine.ts'
import { placeOf, type Place } from '../state/place.ts'
import { isAllowed, isPushed, subscribe } from './push.ts'

export interface ShellDeps {
  engine: StoreApi<EngineState>
  actions: Pick<Actions, 'ask'>
  go(place: Place): void
}

let made: Promise<ServiceWorkerRegistration | null> | null = null

/** null: the browser does not trust this page so far, or has no such thing */
export function worker(win: Window): Promise<ServiceWorkerRegistration | null> {
  const { serviceWorker } = win.navigator
  made ??=
    serviceWorker && win.isSecureContext
      ? serviceWorker.register('/dashboard/sw.js').catch(() => null)
      : Promise.resolve(null)
  return made
}

export async function beShell(win: Window & typeof globalThis, deps: ShellDeps): Promise<void> {
  const registration = await worker(win)
  if (!registration) return
  const { head } = win.document
  if (!head.querySelector('link[rel=manifest]'))
    for (const [rel, file] of [
      ['manifest', 'manifest.webmanifest'],
      ['apple-touch-icon', 'app-256.png'],
    ])
      head.append(Object.assign(win.document.createElement('link'), { rel, href: `/dashboard/${file}` }))
  win.navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ to?: unknown }>) => {
    if (typeof data.to === 'string') deps.go(leadsTo(data.to, deps.engine.getState()))
  })
  closeAnswered(registration, deps.engine)
  // Asked for no sooner than needed: the home has no key for it before.
  if (!isAllowed(win)) return
  await live(deps.engine)
  await renew(registration, deps)
}

function live(engine: StoreApi<EngineState>): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (engine.getState().link.kind !== 'live') return
      stop()
      resolve()
    }
    const stop = engine.subscribe(look)
    look()
  })
}

/** By the current state: the question may be answered. */
function leadsTo(path: string, state: EngineState): Place {
  const place = placeOf(path)
  return place.view === 'sessions' && place.selection ? placeOfSession(place.selection.id, state) : place
}

/** What was pushed goes when it is answered, here or elsewhere. */
function closeAnswered(registration: ServiceWorkerRegistration, engine: StoreApi<EngineState>): void {
  const close = async ({ sessions, link }: EngineState) => {
    if (link.kind !== 'live') return
    for (const shown of await registration.getNotifications()) {
      const session = sessions.get(shown.tag)
      if (session && !asksForPerson(session)) shown.close()
    }
  }
  engine.subscribe((state, before) => {
    if (state.sessions !== before.sessions) void close(state)
  })
}

/** A browser may have changed its subscription while the page was closed, and the engine its key. */
async function renew(registration: ServiceWorkerRegistration, { actions: { ask } }: ShellDeps): Promise<void> {
  const asked = await ask((c) => c.ownPush.query())
  if (!asked.ok || asked.value.endpoint === null) return
  const { key, endpoint } = asked.value
  if (await isPushed(registration, { key, endpoint })) return
  const target = await subscribe(registration, key).catch(() => null)
  await ask((c) => c.setOwnPush.mutate(target))
}
