import type { MarkerHeldWhy } from '../../../shared/events.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { HeldMarkerState } from './session-state.ts'
import type { SessionStore } from './session-store.ts'

/** Markers that were not followed, until a person applies or forgets them. They are kept with their session. */
export interface HeldMarkers {
  /** @returns their ids; null: it is too long to be kept, gave way to later ones, or could not be written */
  add(
    sessionId: string,
    held: readonly { marker: string; why: MarkerHeldWhy; goal?: string }[],
  ): Promise<readonly (string | null)[]>
  /** @throws OnwardError `marker-unknown` */
  get(sessionId: string, id: string): HeldMarkerState
  remove(sessionId: string, id: string): Promise<void>
}

/** Per session; beyond that the oldest is dropped. */
const most = 8
/** Longest marker and longest goal, in characters: a session's file is written often. */
const longest = 16_384
const longestGoal = 65_536

export function createHeldMarkers(deps: {
  sessions: Pick<SessionStore, 'get' | 'choose'>
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  log: Log
}): HeldMarkers {
  const { sessions, clock, random, log } = deps
  return {
    async add(sessionId, added) {
      const now = clock.now()
      const fresh = added.map(({ marker, why, goal }): HeldMarkerState | null =>
        marker.length > longest || (goal?.length ?? 0) > longestGoal
          ? null
          : { id: random.uuid(), marker, why, at: now, ...(goal === undefined ? {} : { goal }) },
      )
      const kept = fresh.filter((one) => one !== null).slice(-most)
      try {
        // The same marker again is the same question.
        if (kept.length > 0)
          await sessions.choose(sessionId, ({ heldMarkers }) => ({
            heldMarkers: [
              ...heldMarkers.filter(({ marker }) => !kept.some((one) => one.marker === marker)),
              ...kept,
            ].slice(-most),
          }))
        return fresh.map((one) => (one && kept.includes(one) ? one.id : null))
      } catch (error) {
        // The request goes on in any case; the timeline records that they were not followed.
        log.warn({ sessionId, error: messageOf(error) }, 'markers that were not followed could not be kept')
        return fresh.map(() => null)
      }
    },
    get(sessionId, id) {
      const found = sessions.get(sessionId)?.heldMarkers.find((one) => one.id === id)
      if (!found)
        throw new OnwardError(
          'marker-unknown',
          'This marker does not wait for a word any more. `onward markers` lists those that do.',
          { status: 404 },
        )
      return found
    },
    async remove(sessionId, id) {
      await sessions.choose(sessionId, ({ heldMarkers }) => ({
        heldMarkers: heldMarkers.filter((one) => one.id !== id),
      }))
    },
  }
}
