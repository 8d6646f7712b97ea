import type { z } from 'zod'

/** Shape errors as sentences, or the checked value. */
export function shapeOf<T>(schema: z.ZodType<T>, json: unknown): { problems: string[]; value: T | null } {
  const result = schema.safeParse(json)
  if (result.success) return { problems: [], value: result.data }
  return { problems: result.error.issues.map((issue) => sentenceOf(issue)), value: null }
}

/** Of a union's failures the one that came furthest says best what was meant. */
function sentenceOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): string {
  const path = [...above, ...issue.path]
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap((errors) => errors.slice(0, 1)) : []
  const furthest = branches.reduce<z.core.$ZodIssue | null>(
    (best, next) => (best === null || depth(next) > depth(best) ? next : best),
    null,
  )
  return furthest ? sentenceOf(furthest, path) : `${path.join('.') || 'body'}: ${issue.message}`
}

const depth = (issue: z.core.$ZodIssue): number =>
  issue.path.length +
  (issue.code === 'invalid_union' ? Math.max(0, ...issue.errors.flatMap((errors) => errors.slice(0, 1)).map(depth)) : 0)
