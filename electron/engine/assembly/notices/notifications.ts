import type { Notice } from '../../../../shared/state.ts'
import type { Event } from '../../base/disposable.ts'
import { keptZone } from '../../base/clock.ts'
import { createOutside, type Outside } from '../../notifications/outside.ts'
import { createQuiet, type Quiet, type QuietOver } from '../../notifications/quiet.ts'
import { sessionName } from '../../sessions/session-state.ts'
import type { EngineContext } from '../foundation.ts'
import { createNotices, type Notices } from './notices.ts'

export interface Notifications {
  notices: Notices
  /** on their way out of this machine */
  outside: Outside
  quiet: Quiet
  /** their part of the status changed */
  onChange: Event<void>
  /** one is shown */
  onShown: Event<Notice>
  /** only once `quiet.start()` was called */
  onQuietOver: Event<QuietOver>
}

/** Notifications to a person, here and elsewhere, and the hours without them. */
export async function assembleNotifications({ host, base, language, events }: EngineContext): Promise<Notifications> {
  const { clock, log } = host
  const { config, store, sessions } = base
  const { record } = base.timeline
  const changed = events<void>('the state of notifications')
  const shown = events<Notice>('notices')
  const quietOver = events<QuietOver>('the end of quiet hours')
  const outside = createOutside({ host, config, secret: base.secrets.get, language, record, onChange: changed.emit })
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
    wanted: (kind) => kind === 'quiet-over' || (config.current().notifications[kind] ?? true),
    keeps: quiet.keeps,
    publish: shown.emit,
  })
  return { notices, outside, quiet, onChange: changed.on, onShown: shown.on, onQuietOver: quietOver.on }
}
