import { asList, asObject, asText } from '../../values.ts'

/** Texts of a message's `content`, a string or a list of parts; thinking and refusals are none. */
export function visibleText(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => {
      const entry = asObject(part)
      return entry?.['type'] === 'text' ? (asText(entry['text']) ?? '') : ''
    })
    .join('')
}
