import type { MarkerDeps } from '../request/read-markers.ts'
import { noAlarms } from './no-alarms.ts'

/** For tests that are not about markers: they arm nothing, and nothing is kept. */
export const noMarkers: Omit<MarkerDeps, 'targets'> = {
  language: () => 'en',
  personTexts: (_, texts) => texts,
  anywhere: () => false,
  inCode: () => 'keep',
  followed: { has: () => false, add: () => undefined },
  keyboard: { saw: () => false, sawTyped: () => false },
  readGoalFile: () => Promise.reject(new Error('there is no goal file')),
  knowsGoal: () => false,
  noProgressRounds: () => null,
  reenterScope: () => null,
  arm: async () => undefined,
  clear: async () => undefined,
  alarms: noAlarms,
  setOverrides: async () => undefined,
  offer: async (_, held) => held.map(() => null),
  record: () => undefined,
}
