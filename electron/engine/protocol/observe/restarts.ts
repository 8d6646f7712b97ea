import { asName, type JsonObject } from '../values.ts'

/** A gateway that asks its model anew splices a second answer into the first: nobody can tell what is whole of it. */
export const restarted = {
  code: 'upstream-restarted',
  message: 'The provider began a second answer in the middle of its first.',
}

/**
 * Watches the events that begin an answer: there is one. The very same beginning sent twice is none of another, as long
 * as nothing was said (`said`).
 */
export function beginnings(): { again(head: JsonObject, said: boolean): boolean } {
  let first: { id: string | null } | null = null
  return {
    again(head, said) {
      const id = asName(head['id'])
      if (first === null) {
        first = { id }
        return false
      }
      return said || id === null || id !== first.id
    },
  }
}
