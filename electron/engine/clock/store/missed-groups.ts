import type { MissedEntry } from './missed-entry.ts'

/** One question to a person: one missed time, or all that were missed of one repeated alarm. */
export interface MissedGroup extends MissedEntry {
  /** how many due times went by */
  times: number
  /** of all entries in it, its own first */
  keys: readonly string[]
}

/** @param entries newest first, as the groups are; the newest of a repeated alarm speaks for all of it */
export function groupMissed(entries: readonly MissedEntry[]): readonly MissedGroup[] {
  const groups: MissedGroup[] = []
  const places = new Map<string, number>()
  for (const entry of entries) {
    const { taskId, repeat } = entry.task
    const times = 1 + (repeat?.passed ?? 0)
    const place = repeat && places.get(taskId)
    const group = place === undefined ? undefined : groups[place]
    if (group && place !== undefined)
      groups[place] = { ...group, times: group.times + times, keys: [...group.keys, entry.key] }
    else {
      if (repeat) places.set(taskId, groups.length)
      groups.push({ ...entry, times, keys: [entry.key] })
    }
  }
  return groups
}

/** Those that a person gets a notice of. A repeated alarm that already waits for an answer makes no second one. */
export const newlyMissed = (
  fresh: readonly MissedEntry[],
  open: () => readonly MissedEntry[],
): readonly MissedEntry[] => {
  if (fresh.every(({ task }) => task.repeat === undefined)) return fresh
  const asked = new Set(
    open().flatMap(({ key, task }) => (task.repeat && !fresh.some((one) => one.key === key) ? [task.taskId] : [])),
  )
  return fresh.filter(({ task }) => task.repeat === undefined || !asked.has(task.taskId))
}
