import type {
  CanonicalRequest,
  ContentPart,
  Message,
  ToolCallPart,
  ToolResultPart,
} from '../../protocol/canonical/request.ts'

/**
 * A step of a conversation: a message to the agent, or a call it made. `system`: a client's message in the middle of a
 * conversation, in no user's name.
 */
export type TurnStep = { type: 'message' | 'system'; texts: readonly string[] } | CallStep

export interface CallStep {
  type: 'call'
  name: string
  /** as the model wrote them */
  arguments: string
  /** null: none in this request yet */
  result: string | null
  isError: boolean
}

/** Leaves out the agent's own words: the last ones are read from its answer. */
export function stepsOf({ messages }: Pick<CanonicalRequest, 'messages'>): readonly TurnStep[] {
  const steps: TurnStep[] = []
  const calls = new Map<string, CallStep[]>()
  for (const message of messages) addMessage(message, steps, calls)
  return steps
}

function addMessage(message: Message, steps: TurnStep[], calls: Map<string, CallStep[]>): void {
  switch (message.role) {
    case 'system':
      steps.push({ type: 'system', texts: message.parts.map(({ text }) => text) })
      return
    case 'assistant':
      for (const part of message.parts) if (part.type === 'tool-call') addCall(part, steps, calls)
      return
    case 'user': {
      for (const part of message.parts) if (part.type === 'tool-result') addResult(part, calls.get(part.callId) ?? [])
      const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      if (texts.length > 0) steps.push({ type: 'message', texts })
    }
  }
}

function addCall(
  { id, name, namespace, arguments: args }: ToolCallPart,
  steps: TurnStep[],
  calls: Map<string, CallStep[]>,
): void {
  const step: CallStep = {
    type: 'call',
    name: namespace === undefined ? name : `${namespace}.${name}`,
    arguments: args,
    result: null,
    isError: false,
  }
  steps.push(step)
  const same = calls.get(id)
  if (same) same.push(step)
  else calls.set(id, [step])
}

/**
 * The result belongs to the first call of this id without one, since some vendors count from zero each turn; a further
 * result (a script of Codex sends more while it runs) to the last.
 */
function addResult({ parts, isError }: ToolResultPart, same: readonly CallStep[]): void {
  const call = same.find(({ result }) => result === null) ?? same.at(-1)
  if (!call) return
  const text = parts.map(textOf).join('\n')
  call.result = call.result === null ? text : `${call.result}\n${text}`
  call.isError ||= isError
}

const textOf = (part: ContentPart): string => (part.type === 'text' ? part.text : `[${part.type}]`)
