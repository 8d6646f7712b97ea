import type { EntryProtocol } from '../../shared/words.ts'

/** The protocol of each type of provider; the simulator speaks all of them. */
const spoken: Record<string, EntryProtocol> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
}

export const sameProtocol = (entry: EntryProtocol, type: string): boolean =>
  type === 'simulator' || spoken[type] === entry
