import { messageOf, OnwardError } from '../../engine/base/errors.ts'
import type { Notice } from '../../../shared/state.ts'
import type { EngineLink } from '../life/engine-link.ts'
import { placeOf } from './notice-rules.ts'
import type { Place } from '../window/place.ts'

export interface NoticeActionsOptions {
  /** the present engine, which may be another one than the engine that gave the notice */
  link(): Pick<EngineLink, 'rearm' | 'resume' | 'snoozeAlarm' | 'cancelAlarm'>
  open(place: Place | null): void
  /** carries it out, and shows a failure */
  attempt(label: string, doing: Promise<unknown>): void
}

/** As the button's label says (shared/sentences). */
export const snoozeMinutes = 10

/** The buttons on notifications; a closed list, and of a notice only those it offers. */
export function createNoticeActions({
  link,
  open,
  attempt,
}: NoticeActionsOptions): (notice: Notice, actionId: string) => void {
  return (notice, actionId) => {
    const offered = notice.actions.find((action) => action.id === actionId)
    if (!offered) return
    const { sessionId, alarms = [] } = notice
    switch (offered.id) {
      case 'open':
        return open(placeOf(notice))
      case 're-arm':
        return sessionId === null ? undefined : attempt(offered.label, link().rearm(sessionId))
      case 'go-on':
        return sessionId === null ? undefined : attempt(offered.label, link().resume(sessionId))
      case 'snooze':
        return attempt(
          offered.label,
          eachOf(alarms, (alarm) => link().snoozeAlarm(alarm, snoozeMinutes)),
        )
      case 'cancel-alarm':
        return attempt(
          offered.label,
          eachOf(alarms, (alarm) => link().cancelAlarm(alarm)),
        )
    }
  }
}

/**
 * One that is gone or under way by now does not stop the others.
 * @throws OnwardError `not-done` with what came of those that could not be done
 */
async function eachOf(alarms: readonly string[], act: (alarm: string) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(alarms.map(act))
  const troubles = results.flatMap((result) => (result.status === 'rejected' ? [messageOf(result.reason)] : []))
  if (troubles.length === 0) return
  const share = alarms.length > 1 ? `${troubles.length}/${alarms.length}: ` : ''
  throw new OnwardError('not-done', `${share}${[...new Set(troubles)].join('\n')}`)
}
