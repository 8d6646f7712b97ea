import type { Notice } from '../../../../shared/state.ts'
import { hostname } from 'node:os'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { Event } from '../../base/disposable.ts'
import { keptZone } from '../../base/clock.ts'
import { messageOf, problemOf } from '../../base/errors.ts'
import type { Devices } from '../../control/devices.ts'
import { createOutside, type Outside } from '../../notifications/outside.ts'
import { openPushKeys } from '../../notifications/push/keys.ts'
import { createPush, type Push } from '../../notifications/push/push.ts'
import { publicWeb } from '../../web/post-public.ts'
import { createQuiet, type Quiet, type QuietOver } from '../../notifications/quiet.ts'
import { sessionName } from '../../sessions/session-state.ts'
import type { EngineContext } from '../foundation.ts'
import { createNotices, type PassingNotices } from './notices.ts'

export interface Notifications {
  notices: PassingNotices
  /** on their way out of this machine */
  outside: Outside
  /** a question, by the session or terminal it is about, was answered or is gone */
  over: Push['over']
  /** web push, as a device asks about its own */
  ofDevice(id: string): Pick<ControlApi, 'ownPush' | 'setOwnPush'>
  quiet: Quiet
  /** their part of the status changed */
  onChange: Event<void>
  /** one is shown */
  onShown: Event<Notice>
  /** only once `quiet.start()` was called */
  onQuietOver: Event<QuietOver>
}

/** Notifications to a person, here and elsewhere, and the hours without them. */
export async function assembleNotifications(
  { host, base, language, events }: EngineContext,
  devices: Devices,
  phonesAt: () => string | null,
): Promise<Notifications> {
  const { clock, log } = host
  const { config, store, sessions } = base
  const { record } = base.timeline
  const changed = events<void>('the state of notifications')
  const shown = events<Notice>('notices')
  const quietOver = events<QuietOver>('the end of quiet hours')
  const places = createOutside({
    host,
    config,
    secret: base.secrets.get,
    language,
    linkTo: (sessionId) => pageOf(phonesAt(), sessionId),
    record,
    onChange: changed.emit,
  })
  const web = publicWeb({ clock })
  const keys = openPushKeys(base.secrets)
  const push = createPush({
    devices: devices.pushed,
    drop: (id, endpoint) =>
      void devices
        .setPush(id, null, endpoint)
        .then(changed.emit, (error: unknown) =>
          log.warn({ error: messageOf(error) }, 'a device that takes no push any more could not be noted'),
        ),
    keys,
    web,
    wanted: () => config.current().notifications.push,
    machine: hostname(),
    clock,
    random: host.random,
    language,
    record,
    onChange: changed.emit,
  })
  const outside: Outside = {
    tell(notice) {
      places.tell(notice)
      push.tell(notice)
    },
    test: async (name) => (await push.test(name)) ?? places.test(name),
    views: () => [...places.views(), ...push.views()],
    dispose() {
      places.dispose()
      push.dispose()
    },
  }
  const quiet = await createQuiet({
    clock,
    log,
    store,
    hours: () => config.current().notifications.quietHours,
    zone: keptZone(clock),
    tell: quietOver.emit,
    onChange: changed.emit,
  })
  const notices = createNotices({
    outside,
    host,
    language,
    record,
    nameOf(sessionId, scope) {
      const session = sessionId === null ? null : sessions.get(sessionId)
      return session ? sessionName(session) : (scope ?? 'Onward')
    },
    agentOf: (sessionId) => sessions.get(sessionId)?.client ?? null,
    wanted: (kind) => kind === 'quiet-over' || (config.current().notifications[kind] ?? true),
    keeps: quiet.keeps,
    publish: shown.emit,
  })
  const pushView = async (id: string) => ({
    key: (await keys()).publicKey,
    endpoint: devices.pushed().find((one) => one.id === id)?.push.endpoint ?? null,
  })
  const ofDevice = (id: string): Pick<ControlApi, 'ownPush' | 'setOwnPush'> => ({
    ownPush: () => pushView(id),
    async setOwnPush(target) {
      if (target !== null)
        await web.check(target.endpoint).catch((error: unknown) => {
          // What can't be looked up just now may be later.
          const { code } = problemOf(error, 'timed-out')
          if (code !== 'web-unreachable' && code !== 'timed-out') throw error
        })
      await devices.setPush(id, target)
      changed.emit()
      return pushView(id)
    },
  })
  return {
    notices,
    outside,
    over: push.over,
    ofDevice,
    quiet,
    onChange: changed.on,
    onShown: shown.on,
    onQuietOver: quietOver.on,
  }
}

/** A page of paired phones; the browser that opens it proves itself by its own key. */
function pageOf(origin: string | null, sessionId: string | null): string | null {
  if (origin === null) return null
  return `${origin}/dashboard/${sessionId === null ? '' : `#/session/${encodeURIComponent(sessionId)}`}`
}
