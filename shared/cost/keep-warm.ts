/** Keeping a provider's prompt cache until an alarm is due, by asking for the same prompt again. */

/** Why no request keeps a cache warm. `form`: the vendor refuses a request without output in this form. */
export const notWarmReasons = [
  'off',
  'not-known',
  'form',
  'no-price',
  'no-time',
  'lasts',
  'rests',
  'too-late',
  'not-cheaper',
  'budget',
  'failed',
] as const
export type NotWarm = (typeof notWarmReasons)[number]

/** `pings`: so many requests in all, the next one at `at`; they cost at most `costUsd` and save at least `savesUsd` */
export type KeepWarm =
  | { kind: 'pings'; at: number; pings: number; costUsd: number; savesUsd: number }
  | { kind: 'none'; why: NotWarm }
