import { asList, asObject, asText, type JsonObject } from '../../values.ts'

/** Returns the visible text of a message: its texts and refusals. */
export function visibleText(item: JsonObject): string {
  const content = asText(item['content'])
  return (
    content ??
    asList(item['content'])
      .map((part) => partText(asObject(part)) ?? '')
      .join('')
  )
}

/** null: no part with text */
export const partText = (part: JsonObject | null): string | null => asText(part?.['text']) ?? asText(part?.['refusal'])
