import type { EntryProtocol } from '../../../shared/words.ts'
import type { Frame } from './answer/frame.ts'
import * as chat from './chat/facts.ts'
import { knownMeaning } from './finish-names.ts'
import * as gemini from './gemini/facts.ts'
import * as messages from './messages/facts.ts'
import { errorIn, eventType } from './observe/peek.ts'
import { overflowInValue } from './failures/overflow.ts'
import * as responses from './responses/facts.ts'
import { serverToolCodecOf } from './index.ts'
import { asObject, type JsonObject } from './values.ts'

/**
 * Classifies a message at the beginning of an answer. `nothing`: it is known to hold nothing that the model made, and
 * no end, so the answer may still come from another provider. A number: the provider failed, with the status that its
 * error stands for.
 */
export type Beginning = 'nothing' | 'says' | number

interface Signs {
  failed(value: JsonObject, type: string): boolean
  /** true if a message of this type says nothing as long as it holds no content */
  begins(value: JsonObject, type: string): boolean
}

/** Events that repeat the request and hold no output: they may be large, and are not parsed for this. */
const beginsResponse = new Set(['response.created', 'response.queued', 'response.in_progress', 'keepalive'])
const beginsMessage = new Set([
  'ping',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
])

/** Signs of life, which gateways send in the streams of any protocol. */
const beats = new Set(['ping', 'keepalive', 'keep-alive', 'heartbeat'])

const endsInError = (choice: JsonObject): boolean => knownMeaning(chat.finish(choice) ?? '') === 'error'

const signs: Readonly<Record<EntryProtocol, Signs>> = {
  messages: {
    failed: (value, type) => type === 'error' || errorIn(value) !== null,
    begins: (value, type) => beginsMessage.has(type) || (type === 'message_delta' && messages.finish(value) === null),
  },
  responses: {
    failed: (value, type) => type === 'error' || responses.finish(type) === 'failed' || errorIn(value) !== null,
    begins: (_value, type) => type.startsWith('response.') && responses.finish(type) === null,
  },
  chat: {
    failed: (value, type) => chat.error(value, type) !== null || chat.choices(value).some(endsInError),
    begins: (value) =>
      (Array.isArray(value['choices']) || value['object'] === 'chat.completion.chunk') &&
      chat.choices(value).every((choice) => chat.finish(choice) === null),
  },
  gemini: {
    failed: (value) => gemini.error(value) !== null,
    begins: (value) =>
      ['candidates', 'usageMetadata', 'responseId', 'modelVersion', 'promptFeedback'].some((name) => name in value) &&
      !gemini.isBlocked(value) &&
      gemini.candidates(value).every((candidate) => gemini.finish(candidate) === null),
  },
}

/** Returns the classifier of a protocol's messages. A message that is not known to be empty counts as an answer. */
export function beginningOf(protocol: EntryProtocol): (frame: Frame) => Beginning {
  const { failed, begins } = signs[protocol]
  const { hasContent } = serverToolCodecOf(protocol)
  return (frame) => {
    if (!frame.says) return 'nothing'
    // In a chunk of Chat a `type` is that of an error, not of an event.
    const type = protocol === 'chat' ? frame.name : eventType(frame)
    if (protocol === 'responses' && beginsResponse.has(type)) return 'nothing'
    if (hasContent(frame.raw)) return 'says'
    const value = frame.value()
    if (value === null) return type === 'error' ? statusOf(frame.latin1) : 'says'
    if (failed(value, type)) {
      const status = statusOf(JSON.stringify(saysWhy(value)))
      return status !== 429 && overflowInValue(value) ? 400 : status
    }
    return begins(value, type) || beats.has(type) || beats.has(String(value['type'])) ? 'nothing' : 'says'
  }
}

/** Returns the object that describes the failure, so that names of models and ids are not taken for its words. */
const saysWhy = (value: JsonObject): unknown =>
  value['error'] ??
  asObject(value['response'])?.['error'] ??
  chat.choices(value)[0]?.['error'] ??
  value['base_resp'] ??
  (value['choices'] === undefined && value['response'] === undefined ? value : {})

/**
 * Returns the status for a failure that came under 200. A number in its code decides, else its words. Without either
 * the provider failed, since a fault of the request is nearly always named.
 */
function statusOf(error: string): number {
  const text = error.slice(0, 4096)
  const code = Number(/"(?:code|status|status_code|http_status)"\s*:\s*"?([45]\d\d)\b/.exec(text)?.[1])
  if (!Number.isNaN(code)) return code
  if (/overloaded|slow_down/i.test(text)) return 529
  if (/rate.?limit|usage.?limit|quota|resource_?exhausted|too.?many.?requests|throttl/i.test(text)) return 429
  if (/authentication|unauthenticated|invalid_api_key/i.test(text)) return 401
  if (/permission|billing/i.test(text)) return 403
  return fault.test(text) ? 400 : 500
}

/** Words for a fault of the request itself, which no other provider would answer better. */
const fault = new RegExp(
  [
    'invalid_(?:request|argument|prompt|image)',
    'bad_?request',
    'too_?(?:large|long)',
    'prompt is too long',
    'not_?found',
    'context.?(?:length|window|size)',
    'maximum context',
    'content_?(?:policy|filter)',
    'failed_precondition',
    'unsupported',
  ].join('|'),
  'i',
)
