import type { z } from 'zod'

/** A body by its schema; null for anything else. */
export function readJson<T>(body: Buffer, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(body.toString())).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
