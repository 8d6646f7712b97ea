/**
 * What a provider was told, read from the mock's requests in any protocol: the tests' own reading, apart from the
 * codecs'.
 */
import { at } from './mock-upstream/json-path.ts'
import type { MockRequest } from './mock-upstream/types.ts'

export interface Heard {
  system: string
  calls: readonly { id: string; name: string; input: unknown }[]
  results: readonly { id: string; text: string; isError: boolean | null }[]
  tools: readonly { name: string; parameters: unknown }[]
  schema: unknown
  stop: readonly string[]
  maxTokens: unknown
  /** whether thinking was asked for */
  thinks: boolean
  /** signatures, encrypted reasoning, and reasoning that a Chat provider wants back */
  seals: readonly string[]
}

export function heard({ endpoint, json }: MockRequest): Heard {
  switch (endpoint) {
    case 'chat':
      return heardChat(json)
    case 'responses':
      return heardResponses(json)
    case 'messages':
      return heardMessages(json)
    case 'gemini':
      return heardGemini(json)
    default:
      throw new Error(`nothing to hear at ${endpoint}`)
  }
}

const list = (json: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const value = at(json, ...path)
  return Array.isArray(value) ? value : []
}
const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value
          .map((part) => at(part, 'text'))
          .filter((t) => typeof t === 'string')
          .join('')
      : ''
const string = (json: unknown, ...path: (string | number)[]): string => String(at(json, ...path) ?? '')
const texts = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '')
const parsed = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value)

function heardChat(json: unknown): Heard {
  const messages = list(json, 'messages')
  const calls = messages.flatMap((m) => list(m, 'tool_calls'))
  return {
    system: messages
      .filter((m) => ['system', 'developer'].includes(string(m, 'role')))
      .map((m) => text(at(m, 'content')))
      .join('\n'),
    calls: calls.map((c) => ({
      id: string(c, 'id'),
      name: string(c, 'function', 'name'),
      input: parsed(at(c, 'function', 'arguments')),
    })),
    results: messages
      .filter((m) => at(m, 'role') === 'tool')
      .map((m) => ({ id: string(m, 'tool_call_id'), text: text(at(m, 'content')), isError: null })),
    tools: list(json, 'tools').map((t) => ({
      name: string(t, 'function', 'name'),
      parameters: at(t, 'function', 'parameters'),
    })),
    schema: at(json, 'response_format', 'json_schema', 'schema'),
    stop: texts(list(json, 'stop')),
    maxTokens: at(json, 'max_completion_tokens') ?? at(json, 'max_tokens'),
    thinks: at(json, 'reasoning_effort') !== undefined,
    seals: texts(messages.map((m) => at(m, 'reasoning_content'))),
  }
}

function heardResponses(json: unknown): Heard {
  const input = list(json, 'input')
  const of = (...types: string[]) => input.filter((item) => types.includes(string(item, 'type')))
  return {
    system: [
      text(at(json, 'instructions')),
      ...input.filter((i) => ['system', 'developer'].includes(string(i, 'role'))).map((i) => text(at(i, 'content'))),
    ]
      .filter((t) => t !== '')
      .join('\n'),
    calls: of('function_call').map((i) => ({
      id: string(i, 'call_id'),
      name: string(i, 'name'),
      input: parsed(at(i, 'arguments')),
    })),
    results: of('function_call_output').map((i) => ({
      id: string(i, 'call_id'),
      text: text(at(i, 'output')),
      isError: null,
    })),
    tools: list(json, 'tools').map((t) => ({ name: string(t, 'name'), parameters: at(t, 'parameters') })),
    schema: at(json, 'text', 'format', 'schema'),
    stop: [],
    maxTokens: at(json, 'max_output_tokens'),
    thinks: at(json, 'reasoning') !== undefined,
    seals: texts(of('reasoning').map((i) => at(i, 'encrypted_content'))),
  }
}

function heardMessages(json: unknown): Heard {
  const blocks = list(json, 'messages').flatMap((m) => list(m, 'content'))
  const of = (type: string) => blocks.filter((b) => at(b, 'type') === type)
  return {
    system: text(at(json, 'system')),
    calls: of('tool_use').map((b) => ({ id: string(b, 'id'), name: string(b, 'name'), input: at(b, 'input') })),
    results: of('tool_result').map((b) => ({
      id: string(b, 'tool_use_id'),
      text: text(at(b, 'content')),
      isError: at(b, 'is_error') === true,
    })),
    tools: list(json, 'tools').map((t) => ({ name: string(t, 'name'), parameters: at(t, 'input_schema') })),
    schema: at(json, 'output_config', 'format', 'schema'),
    stop: texts(list(json, 'stop_sequences')),
    maxTokens: at(json, 'max_tokens'),
    thinks: ['enabled', 'adaptive'].includes(string(json, 'thinking', 'type')),
    seals: texts(of('thinking').map((b) => at(b, 'signature'))),
  }
}

function heardGemini(json: unknown): Heard {
  const parts = list(json, 'contents').flatMap((c) => list(c, 'parts'))
  const results = parts.map((p) => at(p, 'functionResponse')).filter((r) => r !== undefined)
  return {
    system: text(at(json, 'systemInstruction', 'parts')),
    calls: parts
      .map((p) => at(p, 'functionCall'))
      .filter((c) => c !== undefined)
      .map((c) => ({ id: string(c, 'id'), name: string(c, 'name'), input: at(c, 'args') })),
    results: results.map((r) => ({
      id: string(r, 'id'),
      text: string(r, 'response', 'output') + string(r, 'response', 'error'),
      isError: at(r, 'response', 'error') !== undefined,
    })),
    tools: list(json, 'tools', 0, 'functionDeclarations').map((t) => ({
      name: string(t, 'name'),
      parameters: at(t, 'parametersJsonSchema'),
    })),
    schema: at(json, 'generationConfig', 'responseJsonSchema'),
    stop: texts(list(json, 'generationConfig', 'stopSequences')),
    maxTokens: at(json, 'generationConfig', 'maxOutputTokens'),
    thinks: at(json, 'generationConfig', 'thinkingConfig') !== undefined,
    seals: texts(parts.map((p) => at(p, 'thoughtSignature'))),
  }
}
