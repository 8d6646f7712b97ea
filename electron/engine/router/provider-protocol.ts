import type { ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'

const spoken: Readonly<Record<ProviderType, EntryProtocol | 'gemini' | null>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
  simulator: null,
}

/** The protocol of a provider of this type; null: the client's, whichever it is. */
export const providerProtocol = (type: ProviderType): EntryProtocol | 'gemini' | null => spoken[type]
