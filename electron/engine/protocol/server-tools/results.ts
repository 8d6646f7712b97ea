import type { EntryProtocol } from '../../../../shared/words.ts'
import type { CallResult } from './types.ts'

/** How a protocol says the result of a call. */
interface Results {
  of(result: CallResult): object
  /** all of them as one item, where they are parts of the user's turn */
  together?(written: readonly string[]): string
}

/** Chat and Responses have no mark for a call that failed: the text says it. */
const rows: Readonly<Record<EntryProtocol, Results>> = {
  chat: { of: ({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }) },
  responses: { of: ({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text }) },
  messages: {
    // Anthropic refuses an error without words.
    of({ call, text, isError }) {
      const content = isError && text.trim() === '' ? 'It failed without saying why.' : text
      return { type: 'tool_result', tool_use_id: call.id, content, ...(isError ? { is_error: true } : {}) }
    },
    together: (written) => `{"role":"user","content":[${written.join(',')}]}`,
  },
  gemini: {
    // Google reads `output` and `error` by name (FunctionResponse.response). A call without an id gets a result without
    // one: those are matched by name and order.
    of: ({ call, text, isError }) => ({
      functionResponse: {
        ...(/^#call_\d+$/.test(call.id) ? {} : { id: call.id }),
        name: call.name,
        response: { [isError ? 'error' : 'output']: text },
      },
    }),
    together: (written) => `{"role":"user","parts":[${written.join(',')}]}`,
  },
}

export const resultsBeside = (protocol: EntryProtocol, results: readonly CallResult[]): string[] =>
  results.map((result) => JSON.stringify(rows[protocol].of(result)))

export function resultItems(protocol: EntryProtocol, results: readonly CallResult[]): Buffer[] {
  const written = resultsBeside(protocol, results)
  const { together } = rows[protocol]
  const items = together && written.length > 0 ? [together(written)] : written
  return items.map((json) => Buffer.from(json))
}
