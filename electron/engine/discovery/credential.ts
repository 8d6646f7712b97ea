import { variableIn } from './read-loosely.ts'
import type { Credential, DiscoveryContext } from './types.ts'

/** A key as a file gives it: itself, or the name of a variable that holds it. null: nothing is there. */
export function credentialIn(text: string | null, { env }: Pick<DiscoveryContext, 'env'>): Credential | null {
  if (text === null) return null
  const name = variableIn(text)
  if (name === null) return isKey(text) ? { kind: 'key', value: text } : null
  const value = env[name]?.trim()
  return value === undefined || !isKey(value) ? null : { kind: 'env', name, value }
}

/** Placeholders that people write where a tool wants a key and does not use it. */
const placeholder = /^(?:x+|your[-_ ].*|sk-x+|<.*>|test|dummy|none|null|ollama|lm-?studio|onward|not-needed|any.*)$/i
export const isKey = (text: string): boolean => /^[\x21-\x7e]{8,}$/.test(text) && !placeholder.test(text)
