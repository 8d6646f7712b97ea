import type { ItemKey } from './read-items.ts'

interface Waiting {
  reads: (() => void)[]
  isDone: boolean
}

/**
 * Brings output items into the order of their indexes, though gateways stream several at once: the current item is read
 * as it comes, and the others wait for its end. Only items that an event begins and whose index is a number have turns;
 * an index without events is not waited for, since some servers leave indexes out.
 */
export function itemTurns() {
  const waiting = new Map<number, Waiting>()
  const begun = new Set<number>()
  let current: number | null = null

  function next(): void {
    while (current === null && waiting.size > 0) {
      const key = Math.min(...waiting.keys())
      const { reads, isDone } = waiting.get(key) ?? { reads: [], isDone: true }
      waiting.delete(key)
      current = isDone ? null : key
      for (const read of reads) read()
    }
  }

  return {
    take(key: ItemKey, step: 'added' | 'more' | 'done', read: () => void): void {
      const held = typeof key === 'number' ? waiting.get(key) : undefined
      if (typeof key !== 'number' || (step !== 'added' && !held)) {
        read()
        if (step !== 'done' || key !== current) return
        current = null
        return next()
      }
      if (key === current) return read()
      if (held) {
        held.reads.push(read)
        if (step !== 'more') held.isDone = step === 'done'
      } else waiting.set(key, { reads: [read], isDone: false })
      // Its neighbour may have been overtaken: a begun item has its turn when its next event comes.
      const skips = step === 'added' && key > 0 && !begun.has(key - 1)
      begun.add(key)
      if (!skips) next()
    },
    /** nothing more comes */
    rest(): void {
      current = null
      for (const one of waiting.values()) one.isDone = true
      next()
    },
  }
}
