import type { ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'

const spoken: Readonly<Record<ProviderType, EntryProtocol | 'gemini' | null>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
  simulator: null,
}

/** What a provider of this type speaks; null: whatever the client does. */
export const providerProtocol = (type: ProviderType): EntryProtocol | 'gemini' | null => spoken[type]
