import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Disposable } from './engine/base/disposable.ts'

/** of its two halves together, as V8 of Node 20 and 22 lets it grow */
const TARGET_BYTES = 2 * 16 * 1024 * 1024
/** Doubled once more it would be further away from that, for V8 makes it smaller by other steps than two. */
const ENOUGH_BYTES = TARGET_BYTES / Math.SQRT2
/** the first major version of V8 that lets it grow further */
const GROWS_FROM = 13

/** The parts of V8 that a Node lets us read and set. */
export interface YoungGenerationHost {
  v8: string
  /** calls back after each collection; until disposed */
  onCollected(listener: () => void): Disposable
  bytes(): number
  setFlag(flag: string): void
}

/**
 * A request's objects are gone a moment later, and are best made in V8's young generation, whose collections cost as
 * much as lives. Where many objects of one place in the code lived on at one collection, V8 makes later ones in its old
 * generation (pretenuring). An engine that was idle before its first requests showed it such a moment: each object made
 * there then kept alive what its request had pointed to, a collection took 10 ms in place of 3, and a request of 2 KB a
 * third more CPU. So it does that no more.
 *
 * To be called before compiled code that is kept is read or written: it fits a V8 with the same flags only.
 */
export function makeAllObjectsYoung(setFlag: (flag: string) => void = setFlagsFromString): void {
  setFlag('--no-allocation-site-pretenuring')
}

/**
 * V8 of Node 24 and of Electron 45 lets the young generation grow to twice the size that it had before. Bodies lie
 * outside of it, and make a major collection due before it is full: with 64 requests of 200 KB at once each collection
 * was a major one, and half of the CPU went there. So it stops growing where it did before. The size can be set only
 * before V8 starts; how much it grows by can be set at any time. V8 makes it smaller where little happens, so each
 * collection is looked at: otherwise a small one could not grow again.
 */
export function limitYoungGeneration(host: YoungGenerationHost = ofNode()): Disposable {
  if (Number.parseInt(host.v8, 10) < GROWS_FROM) return { dispose: () => undefined }
  let grows = true
  return host.onCollected(() => {
    const mayGrow = host.bytes() < ENOUGH_BYTES
    if (mayGrow === grows) return
    grows = mayGrow
    host.setFlag(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  })
}

function ofNode(): YoungGenerationHost {
  return {
    v8: process.versions.v8,
    onCollected(listener) {
      const observer = new PerformanceObserver(listener)
      observer.observe({ entryTypes: ['gc'] })
      return { dispose: () => observer.disconnect() }
    },
    bytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0,
    setFlag: setFlagsFromString,
  }
}
