import type { MarkerDeps } from '../request/read-markers.ts'
import type { Reminders } from '../request/reminders.ts'

/** For tests that are not about alarms: none is ever due. */
export const noReminders: Reminders = { begin: async () => null }
export const noAlarms: MarkerDeps['alarms'] = { set: async () => undefined, clear: async () => 0 }
