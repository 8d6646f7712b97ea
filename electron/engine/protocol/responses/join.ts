import type { Frame } from '../answer/frame.ts'
import { outputCounts, outputInTotal } from '../chat/facts.ts'
import { eventBytes, type Place, type StreamRounds } from '../join/types.ts'
import { roundCounts, type RoundCounts as Counts } from '../usage-sums.ts'
import { member, splice, type Edit } from '../json-bytes/index.ts'
import { elementsOf, listOf, memberEdits, rootOf, setMembers } from '../json-bytes/walk.ts'
import { eventType } from '../observe/peek.ts'
import { typedEvent, type TypedEvent } from '../sse/write.ts'
import { asName, asNumber, asText, parseObject, type JsonObject, asList, asObject } from '../values.ts'
import { messageEvents, ownItemId, wholeMessage } from './answer.ts'
import * as facts from './facts.ts'
import { isCallItem, itemNames } from './item-kinds.ts'
import { keepAlive } from './keep-alive.ts'

const responseCounts = () => roundCounts({ outputs: outputCounts, total: 'total_tokens', outputInTotal })

const begins: readonly string[] = ['response.created', 'response.queued', 'response.in_progress']
const nothing = Buffer.alloc(0)

const isTerminal = (event: Frame): boolean => facts.finish(eventType(event)) !== null

/**
 * Joins Responses streams: one `response.created`, one list of output items, one terminal event, all under the first
 * round's id. A client that continues from it by `previous_response_id` continues from the last round
 * (pipeline/rounds/turn-tools.ts).
 */
export function responsesRounds(): StreamRounds {
  const counts = responseCounts()
  const names = itemNames()
  const alive = keepAlive()
  /** output of the whole rounds, and of the current one by index */
  const output: Buffer[] = []
  const items = new Map<number, Buffer>()
  const numbers = sequenceNumbers()
  let base = 0
  let shown = 0
  let open: OpenMessage | null = null

  const sortedItems = (): Buffer[] => [...items].sort(([a], [b]) => a - b).map(([, item]) => item)

  function nextRound(): void {
    items.clear()
    names.nextRound()
    base = shown
    open = null
  }

  /** Changes an event's numbers and ids for the client, and remembers what it shows. */
  function rewrite(event: Frame, value: JsonObject, data: Buffer): Buffer {
    const type = eventType(event)
    const index = asNumber(value['output_index'])
    const id = asName(facts.item(value)?.['id'])
    if (type === 'response.output_item.added' && id) names.add(id)
    const edits = eventEdits(value, data, { number: numbers.insteadOf(value), base, names })
    const changed = splice(data, edits)
    if (index !== null) follow(type, base + index, changed)
    return edits.length === 0 ? event.raw : eventBytes(event, changed)
  }

  /** `data` as the client gets it */
  function follow(type: string, index: number, data: Buffer): void {
    const value = parseObject(data) ?? {}
    const item = facts.item(value)
    alive.see(type, value, data)
    shown = Math.max(shown, index + 1)
    if (type === 'response.output_item.added') open = item?.['type'] === 'message' ? openMessage(index, item) : null
    else if (type === 'response.output_item.done') {
      keepItem(index, data)
      if (open?.index === index) open = null
    } else if (open?.index === index) open.take(type, value)
  }

  function keepItem(index: number, data: Buffer): void {
    const at = member(data, rootOf(data), 'item')
    if (at) items.set(index, Buffer.from(data.subarray(at.start, at.end)))
  }

  return {
    endsRound: (event) => isTerminal(event) && event.value() !== null,
    note(event) {
      const { data } = event
      const value = event.value()
      if (!value || !data) return
      numbers.see(value)
      const type = eventType(event)
      alive.see(type, value, data)
      const index = asNumber(value['output_index'])
      if (index === null) return
      shown = Math.max(shown, index + 1)
      if (type === 'response.output_item.added') names.add(asName(facts.item(value)?.['id']) ?? '')
      if (type === 'response.output_item.done') keepItem(index, data)
    },
    place: (value, event) => placeOf(eventType(event), value),
    write: (value, event) => (event.data ? rewrite(event, value, event.data) : event.raw),
    whole(ending) {
      const terminal = ending.find((event) => event.value() && isTerminal(event))
      if (terminal?.data) {
        counts.add(facts.usage(facts.response(terminal.value())))
        const at = member(terminal.data, rootOf(terminal.data), 'response')
        const listed = at ? elementsOf(terminal.data, 'output', at).map((item) => names.renamed(item)) : []
        // Some providers end with an empty list though they sent items.
        const whole = listed.length > 0 ? listed : sortedItems()
        output.push(...whole)
        shown = Math.max(shown, base + whole.length)
      }
      nextRound()
      return nothing
    },
    close() {
      const closing = open?.close(numbers.next)
      if (open && closing) items.set(open.index, Buffer.from(JSON.stringify(closing.item)))
      output.push(...sortedItems())
      nextRound()
      return Buffer.from(closing?.events ?? '')
    },
    say(text) {
      const id = ownItemId(alive.responseId)
      names.add(id)
      const item = wholeMessage(names.of(id), text)
      const events = messageEvents(item, shown++).map((event) => typedEvent({ ...event, ...numbers.next() }))
      output.push(Buffer.from(JSON.stringify(item)))
      nextRound()
      return Buffer.from(events.join(''))
    },
    keepAlive() {
      const all = [...output, ...sortedItems()]
      return alive.event(all.length === shown ? all : null, numbers.next)
    },
    fail: numbers.renumbered,
    ending: (events) =>
      Buffer.concat(
        events.map((event) => {
          const at = event.data && isTerminal(event) ? member(event.data, rootOf(event.data), 'response') : null
          if (!at || !event.data) return event.raw
          return eventBytes(
            event,
            splice(event.data, [
              ...memberEdits(event.data, rootOf(event.data), toJson(numbers.insteadOf(event.value() ?? {}))),
              ...responseEdits(event.data, at, output, counts, asName(alive.responseId)),
            ]),
          )
        }),
      ),
  }
}

/** The numbers of events, if they have any: they go on over all rounds. */
function sequenceNumbers() {
  let last: number | null = null
  const next = (): JsonObject => (last === null ? {} : { sequence_number: ++last })
  return {
    next,
    insteadOf: (value: JsonObject): JsonObject => (value['sequence_number'] === undefined ? {} : next()),
    see(value: JsonObject) {
      last = asNumber(value['sequence_number']) ?? last
    },
    /** Onward's own events, which were written without knowing what came before them. */
    renumbered: (events: Buffer): Buffer =>
      Buffer.from(
        events
          .toString()
          .replaceAll(/"sequence_number":\d+/g, (number) => (last === null ? number : `"sequence_number":${++last}`)),
      ),
  }
}

/** An event's numbers and ids as the client knows them. `base`: output items of the rounds before */
function eventEdits(
  value: JsonObject,
  data: Buffer,
  { number, base, names }: { number: JsonObject; base: number; names: ReturnType<typeof itemNames> },
): Edit[] {
  const root = rootOf(data)
  const index = asNumber(value['output_index'])
  const itemId = asName(value['item_id'])
  const id = asName(facts.item(value)?.['id'])
  const name = id && names.of(id)
  const itemAt = name === id ? null : member(data, root, 'item')
  return [
    ...memberEdits(data, root, {
      ...toJson(number),
      ...(index !== null && base > 0 ? { output_index: String(base + index) } : {}),
      ...(itemId && names.of(itemId) !== itemId ? { item_id: JSON.stringify(names.of(itemId)) } : {}),
    }),
    ...(itemAt ? memberEdits(data, itemAt, { id: JSON.stringify(name) }) : []),
  ]
}

function placeOf(type: string, value: JsonObject): Place {
  if (begins.includes(type) || type === 'error') return 'drop'
  if (type === 'response.output_item.added')
    return isCallItem(asText(facts.item(value)?.['type']) ?? '') ? 'tool' : 'before-text'
  const isText = type === 'response.output_text.delta' || type === 'response.refusal.delta'
  return isText && asText(value['delta']) ? 'text' : 'follow'
}

const toJson = (members: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))

function responseEdits(
  json: Buffer,
  response: { start: number; end: number },
  output: readonly Buffer[],
  counts: Counts,
  id: string | null,
): Edit[] {
  const value = parseObject(json.subarray(response.start, response.end)) ?? {}
  return memberEdits(json, response, {
    ...(id === null || value['id'] === id ? {} : { id: JSON.stringify(id) }),
    output: listOf(output),
    ...(facts.usage(value) ? { usage: JSON.stringify(counts.total()) } : {}),
    // No member of the API itself, but some servers write what the SDKs compute.
    ...(typeof value['output_text'] === 'string' ? { output_text: JSON.stringify(textOf(output)) } : {}),
  })
}

function textOf(output: readonly Buffer[]): string {
  return output
    .flatMap((item) => facts.parts(parseObject(item)))
    .map((part) => (part?.['type'] === 'output_text' ? facts.text(part) : ''))
    .join('')
}

/** Joins whole Responses answers: returns the last one with the output of all. */
export function joinResponses(bodies: readonly Buffer[]): Buffer {
  const counts = responseCounts()
  const names = itemNames()
  const output: Buffer[] = []
  for (const body of bodies) {
    counts.add(facts.usage(parseObject(body)))
    const items = elementsOf(body, 'output')
    for (const item of items) names.add(asName(parseObject(item)?.['id']) ?? '')
    output.push(...items.map((item) => names.renamed(item)))
    names.nextRound()
  }
  const last = bodies.at(-1) ?? nothing
  return splice(last, responseEdits(last, rootOf(last), output, counts, asName(parseObject(bodies[0] ?? last)?.['id'])))
}

/** Returns the answer with a text of Onward's own at its end. */
export function sayResponses(body: Buffer, text: string): Buffer {
  const value = parseObject(body)
  if (!value) return body
  const output = [
    ...elementsOf(body, 'output'),
    Buffer.from(JSON.stringify(wholeMessage(ownItemId(value['id']), text))),
  ]
  return setMembers(body, {
    output: listOf(output),
    ...(typeof value['output_text'] === 'string' ? { output_text: JSON.stringify(textOf(output)) } : {}),
  })
}

/** A message item that the client sees grow. */
interface OpenMessage {
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
function openMessage(index: number, item: JsonObject): OpenMessage {
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
