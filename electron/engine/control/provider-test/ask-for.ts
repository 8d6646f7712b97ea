import { baseUrlOf } from '../../../../shared/config/presets.ts'
import type { ProviderConfig } from '../../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { providerProtocol } from '../../router/prepared.ts'

/** The least that Responses accepts (its reference: minimum 16); the others accept as much. */
const MOST_TOKENS = 16
const PROMPT = 'Answer with the word: ready'

/** Builds a tiny question in the provider's own protocol, so that nothing is converted and its words are its own. */
export function askFor(
  providerId: string,
  provider: ProviderConfig,
  model: string,
): { entry: EntryProtocol; path: string; body: unknown } {
  const address = `${providerId}/${model}`
  const entry = providerProtocol(provider.type) ?? 'chat'
  const messages = [{ role: 'user', content: PROMPT }]
  switch (entry) {
    case 'responses':
      return {
        entry,
        path: '/v1/responses',
        body: { model: address, input: PROMPT, max_output_tokens: MOST_TOKENS, store: false },
      }
    case 'messages':
      return { entry, path: '/v1/messages', body: { model: address, max_tokens: MOST_TOKENS, messages } }
    case 'gemini':
      return {
        entry,
        path: `/v1beta/models/${encodeURIComponent(address)}:generateContent`,
        body: {
          contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
          generationConfig: { maxOutputTokens: MOST_TOKENS },
        },
      }
    case 'chat':
      return {
        entry,
        path: '/v1/chat/completions',
        body: { model: address, messages, [limitName(providerId, provider)]: MOST_TOKENS },
      }
  }
}

/** OpenAI's newer models refuse `max_tokens`; those who copied the protocol may know nothing else. */
function limitName(providerId: string, provider: ProviderConfig): 'max_tokens' | 'max_completion_tokens' {
  const address = baseUrlOf(providerId, provider)
  return address !== null && URL.canParse(address) && /(^|\.)openai\.(com|azure\.com)$/.test(new URL(address).hostname)
    ? 'max_completion_tokens'
    : 'max_tokens'
}

/** True if a 200 is an answer of that protocol, and not some page that happens to be there. */
export function isAnswer(entry: EntryProtocol, body: Buffer): boolean {
  const value = parsed(body)
  const member = { chat: 'choices', responses: 'output', messages: 'content', gemini: 'candidates' }[entry]
  // Gemini leaves `candidates` out where thinking used all tokens there were.
  return isRecord(value) && (Array.isArray(value[member]) || (entry === 'gemini' && isRecord(value['usageMetadata'])))
}

/**
 * Returns the sentence of an error answer, null if there is none. All four protocols have `error.message`, Gemini
 * sometimes in a list.
 */
export function errorSentence(body: Buffer): string | null {
  const value = parsed(body)
  const top = Array.isArray(value) ? value[0] : value
  const error = isRecord(top) ? (top['error'] ?? top) : null
  const message = isRecord(error) ? (error['message'] ?? error['detail']) : error
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : null
}

/** The names in an answer to a list of models. */
export function modelNames(body: Buffer): readonly string[] {
  const value = parsed(body)
  const list = isRecord(value) ? (value['data'] ?? value['models']) : value
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    const name = isRecord(entry) ? (entry['id'] ?? entry['name']) : entry
    return typeof name === 'string' && name !== '' ? [name.replace(/^models\//, '')] : []
  })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
