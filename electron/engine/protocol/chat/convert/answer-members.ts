import type { KnownMembers } from '../../canonical/codec.ts'
import { sourceMembers } from './citations.ts'

/** Members of an assistant's message, in answers and in histories alike. */
export const assistantMembers = [
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_text',
  'reasoning_opaque',
] as const

/** Members of a chunk or body (ChatCompletion of openai). `obfuscation` only hides the length of what is said. */
export const answerMembers: KnownMembers = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'error',
  'obfuscation',
  ...sourceMembers,
])

/** `usage`: Kimi says it there; `stop_reason`, `matched_stop`: which stop sequence vLLM and SGLang met. */
export const choiceMembers: KnownMembers = new Set([
  'index',
  'message',
  'delta',
  'finish_reason',
  'stop_reason',
  'matched_stop',
  'logprobs',
  'usage',
  'error',
])

export const messageMembers: KnownMembers = new Set([
  ...assistantMembers,
  'extra_content',
  'annotations',
  'audio',
  'images',
  'executed_tools',
])

/**
 * Mistral's thinking is a part of the content; `closed` says that it is whole. `summary`: Databricks shows thinking
 * there.
 */
export const partMembers: KnownMembers = new Set(['type', 'text', 'thinking', 'closed', 'summary'])

/** `name` and `arguments`: some servers leave out the function around them. */
export const callMembers: KnownMembers = new Set([
  'index',
  'id',
  'type',
  'function',
  'custom',
  'extra_content',
  'name',
  'arguments',
])
export const calledMembers: KnownMembers = new Set(['name', 'arguments', 'input'])
