import type { Message, ToolCallPart, ToolResultPart } from '../request.ts'

type User = Extract<Message, { role: 'user' }>

/**
 * Every call with one result right after its message, as Chat and Gemini demand. Responses knows no such order: a
 * call's results may come late, more than once (a script of Codex sends notes while it runs) or never. A result that
 * belongs to no call any more is said in words where it stands, and `loose` is called. A conversation in order is
 * handed back as it is, and calls at its end stay open.
 */
export function resultsAtCalls(messages: readonly Message[], loose: () => void): readonly Message[] {
  if (inOrder(messages)) return messages
  const results = resultsOf(messages)
  const placed = new Set<ToolResultPart>()
  const out: Message[] = []

  function answerCalls(): void {
    const last = out.at(-1)
    const calls = last ? callsOf(last) : []
    if (calls.length > 0) out.push({ role: 'user', parts: calls.map((call) => taken(results, call, placed)) })
  }

  function inWords(result: ToolResultPart): User['parts'] {
    // Said on its own now, so no later call may take it.
    results.set(
      result.callId,
      (results.get(result.callId) ?? []).filter((other) => other !== result),
    )
    loose()
    return [
      {
        type: 'text',
        text: `Result of ${result.name === null ? 'a tool call' : `the tool ${result.name}`} made earlier:`,
      },
      ...result.parts,
    ]
  }

  for (const message of messages) {
    const last = out.at(-1)
    if (message.role === 'assistant') {
      // Calls of one turn may come in messages of their own, one after the other.
      if (last?.role === 'assistant')
        out[out.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] }
      else out.push(message)
      continue
    }
    answerCalls()
    if (message.role === 'system') out.push(message)
    else
      addUser(
        out,
        message.parts.flatMap((part) => (part.type !== 'tool-result' ? [part] : placed.has(part) ? [] : inWords(part))),
      )
  }
  return out
}

function inOrder(messages: readonly Message[]): boolean {
  let open: readonly ToolCallPart[] = []
  for (const message of messages) {
    const answered = message.role === 'user' ? message.parts.filter((part) => part.type === 'tool-result') : []
    if (answered.length !== open.length) return false
    const ids = new Set(answered.map((result) => result.callId))
    if (!open.every((call) => ids.has(call.id))) return false
    open = callsOf(message)
  }
  return true
}

const callsOf = (message: Message): ToolCallPart[] =>
  message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : []

/** By the calls' ids, in order: some vendors count from zero each turn. */
function resultsOf(messages: readonly Message[]): Map<string, ToolResultPart[]> {
  const results = new Map<string, ToolResultPart[]>()
  for (const message of messages) {
    if (message.role !== 'user') continue
    for (const part of message.parts)
      if (part.type === 'tool-result') results.set(part.callId, [...(results.get(part.callId) ?? []), part])
  }
  return results
}

function taken(
  results: Map<string, ToolResultPart[]>,
  { id, name, custom }: ToolCallPart,
  placed: Set<ToolResultPart>,
): ToolResultPart {
  const [first, ...rest] = results.get(id) ?? []
  if (!first)
    return {
      type: 'tool-result',
      callId: id,
      name,
      parts: [{ type: 'text', text: 'No result of this call is known.' }],
      isError: true,
      custom,
    }
  results.set(id, rest)
  placed.add(first)
  return first
}

/** Adds what a user says after results that were moved to the message of those results. */
function addUser(out: Message[], parts: User['parts']): void {
  if (parts.length === 0) return
  const last = out.at(-1)
  if (last?.role === 'user' && last.parts.every((part) => part.type === 'tool-result'))
    out[out.length - 1] = { role: 'user', parts: [...last.parts, ...parts] }
  else out.push({ role: 'user', parts })
}
