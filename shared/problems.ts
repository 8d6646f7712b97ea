/** Why a call of the control API did not work: a stable code and the facts its sentence is made of. */

export type ProblemFact = string | number | boolean | null | readonly string[]
export type ProblemFacts = Readonly<Record<string, ProblemFact>>

/** The parts of a person's sentence on an error: `said` is the engine's own English one. */
export interface ProblemReport {
  code: string
  said: string
  facts: ProblemFacts
}

/** The details of an error that a sentence may use: no bodies, no objects. */
export function factsOf(details: unknown): ProblemFacts {
  if (typeof details !== 'object' || details === null) return {}
  return Object.fromEntries(Object.entries(details).filter((entry): entry is [string, ProblemFact] => isFact(entry[1])))
}

const isFact = (value: unknown): value is ProblemFact =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 4_000) ||
  (Array.isArray(value) && value.length <= 50 && value.every((one) => typeof one === 'string'))

/** A fact as a word of a sentence; empty where it is not there. */
export function wordOf(facts: ProblemFacts, name: string): string {
  const value = facts[name]
  if (value === undefined || value === null || typeof value === 'boolean') return ''
  return typeof value === 'object' ? value.join(', ') : String(value)
}
