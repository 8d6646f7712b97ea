import { asName, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'

interface ChatRestarts {
  /** `choice`: the first of the chunk; one without any says nothing */
  again(chunk: JsonObject, choice: JsonObject | undefined): boolean
  /** the same for a chunk that is not parsed. @returns true if it has to be parsed */
  passes(text: string): boolean
  /** the same for a chunk like the one that passed before it */
  goesOn(): void
}

/**
 * Chat has no event that begins an answer. Servers send another id with every chunk (Foundry Local: issue 144 of
 * microsoft/foundry-local; Open WebUI: 23917; older LiteLLM: 1571) or the role with every chunk (Ollama: 7626), so
 * neither alone means a second answer. Both together do, after at least two chunks of one id of which only the first
 * had a role: such a server does neither by habit.
 */
export function chatRestarts(): ChatRestarts {
  let id: string | null = null
  /** as its bytes say it */
  let quoted = ''
  let chunks = 0
  let steady = true
  /** the last chunk that passed had the id */
  let named = false

  return {
    again(chunk, choice) {
      const its = asName(chunk['id'])
      if (its === null || !choice) return false
      const hasRole = asName(facts.message(choice)['role']) !== null
      chunks++
      if (id === null) {
        id = its
        quoted = JSON.stringify(its)
        steady = hasRole
        return false
      }
      if (its !== id && hasRole && steady && chunks > 2) return true
      if (its !== id || hasRole) steady = false
      return false
    },
    passes(text) {
      named = false
      if (!steady || id === null) return false
      if (text.includes('"role"')) return true
      named = text.includes(quoted)
      if (named) chunks++
      else if (text.includes('"id"')) steady = false
      return false
    },
    goesOn() {
      if (named) chunks++
    },
  }
}
