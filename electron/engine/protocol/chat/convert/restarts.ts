import { asName, type JsonObject } from '../../values.ts'

/**
 * Chat has no event that begins an answer. Servers send another id with every chunk (Foundry Local: issue 144 of
 * microsoft/foundry-local; Open WebUI: 23917; older LiteLLM: 1571) or the role with every chunk (Ollama: 7626), so
 * neither tells of a second answer. Both together do, behind at least two chunks of one id of which only the first had a
 * role: such a server does neither by habit.
 */
export function chatRestarts(): { again(chunk: JsonObject, hasRole: boolean): boolean } {
  let id: string | null = null
  let chunks = 0
  let steady = true

  return {
    again(chunk, hasRole) {
      const its = asName(chunk['id'])
      if (its === null) return false
      chunks++
      if (id === null) {
        id = its
        steady = hasRole
        return false
      }
      if (its !== id && hasRole && steady && chunks > 2) return true
      if (its !== id || hasRole) steady = false
      return false
    },
  }
}
