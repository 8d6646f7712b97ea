import { asObject, asObjects, type JsonObject } from '../values.ts'

/** Records a problem, with its place. */
export type Report = (problem: string) => void

export const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0

export function checkUsage(value: unknown, at: string, report: Report): void {
  const usage = asObject(value)
  if (!usage) return report(`${at}: no usage`)
  for (const name of ['input_tokens', 'output_tokens']) if (!isCount(usage[name])) report(`${at}.${name}: no count`)
  for (const name of ['cache_creation_input_tokens', 'cache_read_input_tokens']) {
    if (usage[name] !== undefined && usage[name] !== null && !isCount(usage[name])) report(`${at}.${name}: no count`)
  }
  const details = usage['output_tokens_details']
  if (details !== undefined && details !== null && !isCount(asObject(details)?.['thinking_tokens']))
    report(`${at}.output_tokens_details: no thinking_tokens`)
}

const reasons = new Set<unknown>([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
])

/** `calls`: the answer holds calls of the client's tools. */
export function checkStop(ending: JsonObject, calls: boolean, at: string, report: Report): void {
  const reason = ending['stop_reason'],
    sequence = ending['stop_sequence']
  if (!reasons.has(reason)) report(`${at}.stop_reason: ${String(reason)} is none`)
  if (sequence !== null && typeof sequence !== 'string') report(`${at}.stop_sequence: neither null nor a text`)
  if (typeof sequence === 'string' && reason !== 'stop_sequence')
    report(`${at}.stop_sequence: said with ${String(reason)}`)
  const details = ending['stop_details'] === undefined ? null : asObject(ending['stop_details'])
  if (details && (reason !== 'refusal' || details['type'] !== 'refusal' || typeof details['explanation'] !== 'string'))
    report(`${at}.stop_details: no refusal's`)
  if (reason === 'tool_use' && !calls) report(`${at}.stop_reason: tool_use without a call`)
  if (reason === 'end_turn' && calls) report(`${at}.stop_reason: end_turn though tools are called`)
}

/** Checks a message's own facts, when whole or at its beginning. */
export function checkMessage(message: JsonObject, at: string, report: Report): void {
  if (message['type'] !== 'message') report(`${at}.type: not message`)
  if (message['role'] !== 'assistant') report(`${at}.role: not assistant`)
  for (const name of ['id', 'model'])
    if (typeof message[name] !== 'string' || message[name] === '') report(`${at}.${name}: no name`)
  if (!Array.isArray(message['content'])) report(`${at}.content: no list`)
  for (const name of ['stop_reason', 'stop_sequence']) if (!(name in message)) report(`${at}.${name}: missing`)
  checkUsage(message['usage'], `${at}.usage`, report)
}

const isText = (value: unknown): boolean => typeof value === 'string'
export const toolUseId = /^[a-zA-Z0-9_-]+$/

/** Checks a block of an answer. At a stream's start its content is empty: the deltas bring it. */
export function checkAnswerBlock(block: JsonObject, when: 'start' | 'whole', at: string, report: Report): void {
  const empty = (name: string): void => {
    if (when === 'start' && block[name] !== '') report(`${at}.${name}: not empty at the start`)
  }
  const full = (name: string): void => {
    if (!isText(block[name]) || (when === 'whole' && block[name] === '')) report(`${at}.${name}: no text`)
  }
  switch (block['type']) {
    case 'text':
      full('text')
      return empty('text')
    case 'thinking':
      if (!isText(block['thinking'])) report(`${at}.thinking: no text`)
      full('signature')
      empty('thinking')
      return empty('signature')
    case 'redacted_thinking': {
      if (!isText(block['data']) || block['data'] === '') report(`${at}.data: no text`)
      return
    }
    case 'web_search_tool_result': {
      if (!/^srvtoolu_\w+$/.test(String(block['tool_use_id']))) report(`${at}.tool_use_id: no search's`)
      const failed = asObject(block['content'])?.['type'] === 'web_search_tool_result_error'
      if (!failed && !Array.isArray(block['content'])) report(`${at}.content: neither results nor an error`)
      for (const result of asObjects(block['content']))
        for (const name of ['url', 'title', 'encrypted_content'])
          if (!isText(result[name]) || result[name] === '') report(`${at}.content[].${name}: no text`)
      return
    }
    case 'server_tool_use':
    case 'tool_use': {
      const { id, name } = block
      if (block['type'] === 'server_tool_use' && !/^srvtoolu_\w+$/.test(String(id))) report(`${at}.id: no search's`)
      if (typeof id !== 'string' || id === '') report(`${at}.id: no id`)
      if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
        report(`${at}.name: ${String(name)} is no tool's name`)
      const input = asObject(block['input'])
      if (!input) report(`${at}.input: no object`)
      else if (when === 'start' && Object.keys(input).length > 0)
        report(`${at}.input: not empty at the start, it would be said twice`)
      return
    }
    default:
      report(`${at}.type: ${String(block['type'])} is no block of an answer`)
  }
}
