/**
 * The zone of all instants that are shown: in a dashboard the engine's, in which alarms are written and read and its
 * logs are written. Without one it is the machine's own. One for all, because a screen shows one engine, and two zones
 * beside each other are read as two instants.
 */
let zone: string | undefined

export const shownZone = (): string | undefined => zone

/** @param name IANA name; undefined, or one that is not known here: the machine's own */
export function showZone(name: string | undefined): void {
  zone = name !== undefined && isKnown(name) ? name : undefined
}

/** A check costs a millisecond, and every part of a page with sentences makes one; there are few names. */
const known = new Map<string, boolean>()

function isKnown(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  let is = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    is = false
  }
  known.set(name, is)
  return is
}
