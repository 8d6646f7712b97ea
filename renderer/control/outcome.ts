import type { Problem } from './problem.ts'

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem }
