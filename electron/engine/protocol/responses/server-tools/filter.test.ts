import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateResponsesStream } from '../../testing/validate-responses.ts'
import type { JsonObject } from '../../values.ts'
import { responsesServerTools as serverTools } from './index.ts'
import { bodyOf, call, eventsOf, message, reasoning, streamOf } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'
import { filtering } from '../../join/testing/rounds.ts'

const names = new Set(['clock', 'web_fetch'])
const isOurs = (item: JsonObject): boolean => names.has(String(item['name']))
/** Returns the stream, filtered in chunks of so many events. */
function filtered(events: readonly string[], sizes: readonly number[] = []): string {
  const filter = filtering(serverTools.filter(names))
  const out: Buffer[] = []
  for (let at = 0, i = 0; at < events.length; i++) {
    const size = sizes[i % sizes.length] ?? events.length
    out.push(filter.push(Buffer.from(events.slice(at, at + size).join(''))))
    at += size
  }
  return Buffer.concat(out).toString()
}
const echoed = { tools: [{ type: 'function', name: 'clock', parameters: {}, strict: true }] }

const item = fc.constantFrom('text', 'thought', 'look', 'clock', 'web_fetch')
const made = (kinds: readonly string[]): JsonObject[] =>
  kinds.map((kind, i) => {
    if (kind === 'text') return message(`${i}`, `It is "clock" 世界 {"name":"clock"} ${i}`)
    return kind === 'thought'
      ? reasoning(`${i}`, `call "clock"? ${i}`)
      : call(`${i}`, kind, '{"name":"clock","of":"clock"}')
  })

describe('a filtered stream', () => {
  it('is the stream of an answer that never had the calls, under any grouping of its events', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 7 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        (kinds, sizes) => {
          const items = made(kinds)
          const out = filtered(eventsOf(items, '1', echoed), sizes)
          expect(out).toBe(
            streamOf(
              items.filter((one) => !isOurs(one)),
              '1',
              echoed,
            ),
          )
          expect(validateResponsesStream(out)).toEqual([])
        },
      ),
      runs(300),
    )
  })

  it.each([
    ['nothing of Onward’s', [message('a', 'clock "clock"'), call('b', 'look', '{"tool":"clock"}')]],
    ['a tool of the client’s in a namespace', [{ ...call('a', 'clock'), namespace: 'mine' }]],
  ])('is the very same buffer with %s', (_, items) => {
    const filter = filtering(serverTools.filter(names))
    const chunk = Buffer.from(streamOf(items, '1', echoed))
    expect(filter.push(chunk)).toBe(chunk)
    expect(filter.began).toBe(false)
  })

  it('never takes a custom tool’s call', () => {
    const events = ['response.output_item.added', 'response.output_item.done'].map(
      (type, i) =>
        `data: {"type":"${type}","output_index":0,"sequence_number":${i},` +
        '"item":{"type":"custom_tool_call","name":"clock","call_id":"c","input":""}}\n\n',
    )
    expect(filtered(events)).toBe(events.join(''))
  })

  it('keeps comments, CRLF and events it does not know', () => {
    const events = eventsOf([call('a', 'clock'), message('b', 'Hi')]).map((event) => event.replaceAll('\n', '\r\n'))
    const odd = [
      ...events.slice(0, 4),
      ': wait\r\n\r\n',
      'event: keepalive\r\ndata: {"type":"keepalive"}\r\n\r\n',
      'data: no json\r\n\r\n',
      ...events.slice(4),
    ]
    const out = filtered(odd)
    expect(out).toContain(': wait\r\n\r\nevent: keepalive\r\ndata: {"type":"keepalive"}\r\n\r\ndata: no json\r\n\r\n')
    expect(out.replaceAll('\r', '').replace(/: wait[^]*no json\n\n/, '')).toBe(streamOf([message('b', 'Hi')]))
  })

  it('says when a call has begun', () => {
    const filter = filtering(serverTools.filter(names))
    const [created = '', progress = '', added = '', delta = ''] = eventsOf([call('a', 'clock')])
    filter.push(Buffer.from(created + progress))
    expect(filter.began).toBe(false)
    expect(filter.push(Buffer.from(added)).toString()).toBe('')
    expect(filter.began).toBe(true)
    expect(filter.push(Buffer.from(delta)).toString()).toBe('')
  })

  it('takes a call that only the last event has', () => {
    const [created = '', , ...rest] = eventsOf([call('a', 'clock')])
    const filter = filtering(serverTools.filter(names))
    const out = filter.push(Buffer.from(created + (rest.at(-1) ?? ''))).toString()
    expect(out).not.toContain('clock')
    expect(out).toContain('"output":[]')
    expect(filter.began).toBe(true)
  })

  it('reads a last event without its blank line', () => {
    const events = eventsOf([call('a', 'clock'), message('b', 'Hi')])
    const out = filtered([...events.slice(0, -1), (events.at(-1) ?? '').trimEnd()], [1])
    expect(out.trimEnd()).toBe(streamOf([message('b', 'Hi')]).trimEnd())
  })

  it('leaves an answer that was cut short as it is', () => {
    const events = eventsOf([message('b', 'Hi'), call('a', 'clock')]).map((event) =>
      event
        .replaceAll('response.completed', 'response.incomplete')
        .replaceAll('"completed","output":[{', '"incomplete","output":[{'),
    )
    expect(filtered(events)).toContain('"type":"response.incomplete"')
  })
})

describe('a filtered body', () => {
  it('loses the calls and no other byte', () => {
    const body = Buffer.from(
      `{ "id":"r", "n" : 1.50, "output" : [ ${JSON.stringify(call('a', 'clock'))} , ` +
        `${JSON.stringify(message('b', 'x'))},${JSON.stringify(call('c', 'clock'))} ] , "z":[1]}\n`,
    )
    expect(serverTools.filterBody(body, names).toString()).toBe(
      `{ "id":"r", "n" : 1.50, "output" : [ ${JSON.stringify(message('b', 'x'))} ] , "z":[1]}\n`,
    )
  })

  it('is what an answer without the calls would be', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 7 }), (kinds) => {
        const items = made(kinds)
        const text = (list: readonly JsonObject[]): string => JSON.stringify(bodyOf(list, '1', echoed))
        expect(serverTools.filterBody(Buffer.from(text(items)), names).toString()).toBe(
          text(items.filter((one) => !isOurs(one))),
        )
      }),
      runs(100),
    )
  })

  it.each([
    '{"output":[{"type":"message","content":"clock"}]}',
    'no "clock" json',
    '{"output":{"clock":"clock"}}',
    '{"output":[null,"clock"]}',
    '',
  ])('is the same buffer where nothing is hidden: %s', (text) => {
    const body = Buffer.from(text)
    expect(serverTools.filterBody(body, names)).toBe(body)
  })
})
