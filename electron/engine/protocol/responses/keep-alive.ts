import type { Mutable } from '../../base/mutable.ts'
import { eventBytes } from '../join/types.ts'
import { member } from '../json-bytes/index.ts'
import { listOf, rootOf, setMembers } from '../json-bytes/walk.ts'
import { typedEvent } from '../sse/write.ts'
import { asList, asName, asNumber, asObject, type JsonObject } from '../values.ts'
import * as facts from './facts.ts'

/**
 * Remembers what a client was shown, to keep its stream alive with events it accepts: comments don't reset Codex's idle
 * timer.
 */
interface KeepAlive {
  /** takes an event as the client got it */
  see(type: string, value: JsonObject, data: Buffer): void
  /** id of the response, as far as one was sent */
  readonly responseId: unknown
  /** `output`: all items the client has, null while one of them is not whole; `next` numbers an event */
  event(output: readonly Buffer[] | null, next: () => JsonObject): Buffer
}

export function keepAlive(): KeepAlive {
  let response: Buffer | null = null
  /** the place of the last text the client has seen */
  let text: JsonObject | null = null

  function item(index: number, value: JsonObject): void {
    const content_index = asList(value['content']).findIndex((part) => asObject(part)?.['type'] === 'output_text')
    if (value['type'] === 'message' && asName(value['id']) && content_index >= 0)
      text = { item_id: value['id'], output_index: index, content_index }
  }

  const alive: Mutable<KeepAlive> = {
    responseId: null,
    see(type, value, data) {
      const index = asNumber(value['output_index']) ?? 0
      switch (type) {
        case 'response.created':
        case 'response.in_progress': {
          const at = member(data, rootOf(data), 'response')
          if (!at) return
          response = Buffer.from(data.subarray(at.start, at.end))
          alive.responseId = facts.response(value)['id']
          return
        }
        case 'response.output_item.done':
          return item(index, facts.item(value) ?? {})
        case 'response.output_text.delta': {
          const { item_id, content_index } = value
          if (text?.['item_id'] !== item_id || text?.['output_index'] !== index)
            text = { item_id, output_index: index, content_index }
        }
      }
    },
    event(output, next) {
      if (text)
        return Buffer.from(
          typedEvent({ type: 'response.output_text.delta', ...text, delta: '', logprobs: [], ...next() }),
        )
      // OpenAI's SDK replaces its copy of the response by this one: a copy that lacked an item would break it.
      if (!response || !output) return Buffer.alloc(0)
      const event = Buffer.from(JSON.stringify({ type: 'response.in_progress', response: null, ...next() }))
      return eventBytes(
        { name: 'response.in_progress' },
        setMembers(event, { response: setMembers(response, { output: listOf(output) }) }),
      )
    },
  }
  return alive
}
