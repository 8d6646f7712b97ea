import { asName, type JsonObject } from '../values.ts'

/**
 * A gateway that asks its model again splices a second answer into the first, and no part of the result can be trusted
 * to be whole.
 */
export const restarted = {
  code: 'upstream-restarted',
  message: 'The provider began a second answer in the middle of its first.',
}

/**
 * Watches the events that begin an answer: there is only one answer. The very same beginning sent twice does not count
 * as a second answer, as long as there was no content yet (`said`).
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
