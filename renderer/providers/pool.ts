/** Edits of a route's pool, and how its targets are written. Pure. */
import type { RoutePool } from '../../shared/routing.ts'

export const providerOf = (target: string): string => target.slice(0, Math.max(0, target.indexOf('.')))
export const modelOf = (target: string): string => target.slice(target.indexOf('.') + 1)

/**
 * Reads a target as a person types it: `zai/glm-5`, `zai.glm-5` or `zai,glm-5`; null: none of them. Provider ids have
 * no dots, models may.
 */
export function parseTarget(text: string): string | null {
  const match = /^([A-Za-z0-9_-]+)[./,]\s*(\S.*)$/.exec(text.trim())
  return match ? `${match[1]}.${match[2]}` : null
}

/** @param to place in the pool after the entry has left its own; beyond the ends is at them */
export function moved(pool: RoutePool, from: number, to: number): RoutePool {
  const entry = pool[from]
  const rest = without(pool, from)
  const at = Math.min(Math.max(0, to), rest.length)
  return entry ? [...rest.slice(0, at), entry, ...rest.slice(at)] : pool
}

export const without = (pool: RoutePool, at: number): RoutePool => pool.filter((_, i) => i !== at)
export const weighted = (pool: RoutePool, at: number, weight: number | null): RoutePool =>
  pool.map((entry, i) => (i === at ? { ...entry, weight } : entry))
/** At the end and without a weight: it serves when those before it can't. */
export const added = (pool: RoutePool, target: string): RoutePool => [...pool, { target, weight: null }]

/** Empty is no weight. */
export function parseWeight(text: string): number | null | 'bad' {
  const said = text.trim().replace(',', '.')
  if (said === '') return null
  const weight = Number(said)
  return Number.isFinite(weight) && weight > 0 ? weight : 'bad'
}

/** A name for each entry that stays when others move; a hand-written pool may have a target twice. */
export function keysOfPool(pool: RoutePool): readonly string[] {
  const seen = new Map<string, number>()
  return pool.map(({ target }) => {
    const times = seen.get(target) ?? 0
    seen.set(target, times + 1)
    return times === 0 ? target : `${target}#${times}`
  })
}

export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Where what is dragged lands among the others, in reading order over wrapped lines. */
export const dropIndex = (others: readonly Box[], x: number, y: number): number =>
  others.filter((box) => box.bottom < y || (box.top <= y && (box.left + box.right) / 2 < x)).length
