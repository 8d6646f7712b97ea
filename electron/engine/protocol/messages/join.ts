import { eventBytes, type Place, type StreamRounds } from '../join/types.ts'
import { pick, roundCounts, type RoundCounts } from '../usage-sums.ts'
import { outputCounts, outputInTotal } from '../chat/facts.ts'
import { eventType } from '../observe/peek.ts'
import { isArray, member, splice } from '../json-bytes/index.ts'
import { elementsOf, listOf, rootOf, setMembers } from '../json-bytes/walk.ts'
import { behindLast, asNumber, asObject, parseObject, type JsonObject } from '../values.ts'
import { typedEvent } from '../sse/write.ts'
import { textBlockEvents } from './codec.ts'
import * as facts from './facts.ts'
import { mergeCounts } from './facts.ts'

const inputs = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const
/** Gateways that only changed the shape of a Chat answer write its names. */
const outputs = [...outputCounts, 'server_tool_use']
const shownCounts = [...inputs, ...outputs, 'total_tokens']

/** Counts over several rounds: input of the last, output of all. */
function messageCounts(): RoundCounts {
  const counts = roundCounts({ outputs, total: 'total_tokens', outputInTotal })
  return { add: counts.add, total: () => pick(counts.total(), shownCounts) }
}

/** Joins Messages streams: one `message_start`, contiguous block indices, one `message_delta` and `message_stop`. */
export function messagesRounds(): StreamRounds {
  const counts = messageCounts()
  let started: JsonObject = {}
  /** blocks of the rounds before */
  let base = 0
  /** blocks the client has seen */
  let shown = 0
  let open: number | null = null

  const noteStart = (value: JsonObject | null): void => {
    started = facts.usage(value) ?? {}
  }

  function placeOf(type: string, value: JsonObject): Place {
    switch (type) {
      case 'message_start':
        noteStart(value)
        return 'drop'
      case 'error':
        return 'drop'
      case 'ping':
        return 'now'
      case 'content_block_start': {
        const block = facts.block(value)
        if (facts.isCall(block)) return 'tool'
        // Shown with its first text: a text block without any makes the client's next request invalid.
        return facts.text(block) === '' ? 'before-text' : 'text'
      }
      case 'content_block_delta':
        return facts.text(asObject(value['delta'])) === '' ? 'follow' : 'text'
      default:
        return 'follow'
    }
  }

  return {
    endsRound(event) {
      const type = eventType(event)
      return (type === 'message_delta' || type === 'message_stop') && event.value() !== null
    },
    note(event) {
      const type = eventType(event)
      if (type === 'message_start') noteStart(event.value())
      if (type === 'content_block_start') shown = Math.max(shown, (asNumber(event.value()?.['index']) ?? shown) + 1)
    },
    place: (value, event) => placeOf(eventType(event), value),
    write(value, event) {
      const index = asNumber(value['index'])
      if (index === null || event.data === null) return event.raw
      const type = eventType(event)
      if (type === 'content_block_start') {
        open = base + index
        shown = Math.max(shown, open + 1)
      }
      if (type === 'content_block_stop') open = null
      return base === 0 ? event.raw : eventBytes(event, setMembers(event.data, { index: String(base + index) }))
    },
    whole(ending) {
      counts.add(ending.reduce((older, event) => mergeCounts(older, facts.usage(event.value())), started))
      started = {}
      base = shown
      open = null
      return Buffer.alloc(0)
    },
    close() {
      if (open === null) return Buffer.alloc(0)
      const stop = { type: 'content_block_stop', index: open }
      return eventBytes({ name: stop.type }, Buffer.from(JSON.stringify(stop)))
    },
    say(text) {
      const index = shown++
      return Buffer.from(textBlockEvents(index, text).map(typedEvent).join(''))
    },
    // Its clients know the event, and count it as a sign of life.
    keepAlive: () => Buffer.from(typedEvent({ type: 'ping' })),
    ending: (events) =>
      Buffer.concat(
        events.map((event) => {
          if (eventType(event) !== 'message_delta' || event.data === null) return event.raw
          const usage = { ...facts.usage(event.value()), ...counts.total() }
          return eventBytes(event, setMembers(event.data, { usage: JSON.stringify(usage) }))
        }),
      ),
  }
}

/** Joins whole Messages answers: the last one with the content of all, under the first one's id. */
export function joinMessages(bodies: readonly Buffer[]): Buffer {
  const counts = messageCounts()
  let usage: JsonObject = {}
  for (const body of bodies) {
    usage = facts.usage(parseObject(body)) ?? {}
    counts.add(usage)
  }
  const [first = Buffer.alloc(0)] = bodies
  const last = bodies.at(-1) ?? first
  return setMembers(last, {
    id: JSON.stringify(parseObject(first)?.['id'] ?? null),
    content: listOf(bodies.flatMap((body) => elementsOf(body, 'content'))),
    usage: JSON.stringify({ ...usage, ...counts.total() }),
  })
}

/** Adds a text of Onward's own after the answer's words. */
export function sayMessages(body: Buffer, text: string): Buffer {
  const block = Buffer.from(JSON.stringify({ type: 'text', text }))
  const at = member(body, rootOf(body), 'content')
  return at && isArray(body, at)
    ? splice(body, [behindLast(body, at, [block])])
    : setMembers(body, { content: listOf([block]) })
}
