import { typedEvent, type TypedEvent } from '../sse/write.ts'
import { asList, asNumber, asObject, asText, type JsonObject } from '../values.ts'

/** A message item that the client sees grow. */
export interface OpenMessage {
  readonly index: number
  take(type: string, value: JsonObject): void
  /** Returns the events that end it as it is now, and the item as it is then. `next` numbers an event. */
  close(next: () => JsonObject): { events: string; item: JsonObject }
}

interface Part {
  part: Record<string, unknown>
  done: boolean
}

/** Follows the events of one message, so that it can be ended properly if its round breaks off. */
export function openMessage(index: number, item: JsonObject): OpenMessage {
  const parts: Part[] = []
  const partAt = (value: JsonObject): Part | undefined => parts[asNumber(value['content_index']) ?? -1]

  function put(value: JsonObject, done: boolean): void {
    const at = asNumber(value['content_index'])
    if (at !== null && at <= parts.length) parts[at] = { part: { ...asObject(value['part']) }, done }
  }
  function append(value: JsonObject, member: 'text' | 'refusal'): void {
    // Some servers leave out the event that begins a part.
    if (!partAt(value))
      put(
        {
          ...value,
          part:
            member === 'text' ? { type: 'output_text', text: '', annotations: [] } : { type: 'refusal', refusal: '' },
        },
        false,
      )
    const found = partAt(value)
    if (found) found.part[member] = (asText(found.part[member]) ?? '') + (asText(value['delta']) ?? '')
  }

  return {
    index,
    take(type, value) {
      switch (type) {
        case 'response.content_part.added':
          return put(value, false)
        case 'response.content_part.done':
          return put(value, true)
        case 'response.output_text.delta':
          return append(value, 'text')
        case 'response.refusal.delta':
          return append(value, 'refusal')
        case 'response.output_text.annotation.added': {
          const found = partAt(value)
          if (found) found.part['annotations'] = [...asList(found.part['annotations']), value['annotation']]
        }
      }
    },
    close(next) {
      const events: TypedEvent[] = []
      const ended = { ...item, status: 'incomplete', content: parts.map(({ part }) => part) }
      for (const [content_index, { part, done }] of parts.entries()) {
        if (done) continue
        const place = { item_id: item['id'], output_index: index, content_index }
        const isRefusal = part['type'] === 'refusal'
        events.push({
          type: `response.${isRefusal ? 'refusal' : 'output_text'}.done`,
          ...place,
          ...(isRefusal ? { refusal: part['refusal'] } : { text: part['text'], logprobs: [] }),
          ...next(),
        })
        events.push({ type: 'response.content_part.done', ...place, part, ...next() })
      }
      events.push({ type: 'response.output_item.done', output_index: index, item: ended, ...next() })
      return { events: events.map(typedEvent).join(''), item: ended }
    },
  }
}
