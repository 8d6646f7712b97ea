import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { filtering, objectsOf } from '../../join/testing/rounds.ts'
import { typedEvent } from '../../sse/write.ts'
import { validateMessagesStream } from '../../testing/validate-messages.ts'
import type { JsonObject } from '../../values.ts'
import { filter, filterBody } from './filter.ts'
import {
  anyAnswer,
  call,
  eventsOfAnswer,
  isOurs,
  names,
  reasonOf,
  text,
  thinking,
  bodyOfAnswer,
} from './testing/answers.ts'

/** Pushes events through a filter, so many per chunk in turn. */
function filtered(events: readonly string[], sizes: readonly number[] = [1]): { out: string; began: boolean } {
  const round = filtering(filter(names))
  const out: Buffer[] = []
  for (let i = 0, n = 0; i < events.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    out.push(round.push(Buffer.from(events.slice(i, i + size).join(''))))
    i += size
  }
  return { out: Buffer.concat(out).toString(), began: round.began }
}

const [clock, fetchIt, bash] = [
  call('clock', 'c1', { action: 'get' }),
  call('web_fetch', 'c2', { url: 'u' }),
  call('Bash', 'b1', { command: 'ls' }),
]
const [hi, thought] = [text('Hi.'), thinking('Hm.', 'sig')]

describe('filter of a stream', () => {
  it.each<[string, JsonObject[], JsonObject[]]>([
    ['first', [clock, hi], [hi]],
    ['in the middle', [hi, clock, text('And.')], [hi, text('And.')]],
    ['last, behind thinking', [thought, hi, clock], [thought, hi]],
    ['alone', [clock], []],
    ['twice', [hi, clock, fetchIt], [hi]],
    ['in front of a client’s', [clock, bash], [bash]],
    ['behind a client’s', [hi, bash, clock], [hi, bash]],
    ['between a client’s', [bash, clock, call('Read', 'r1'), fetchIt, hi], [bash, call('Read', 'r1'), hi]],
  ])('takes a hidden call out that stands %s', (_where, blocks, left) => {
    const { out, began } = filtered(eventsOfAnswer(blocks))
    expect(objectsOf(out)).toEqual(objectsOf(eventsOfAnswer(left).join('')))
    expect(began).toBe(true)
  })

  it('makes the stream that the answer without hidden calls would be, in any chunks of events', () => {
    fc.assert(
      fc.property(
        anyAnswer,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        fc.boolean(),
        (blocks, sizes, crlf) => {
          const events = eventsOfAnswer(blocks).map((event) => (crlf ? event.replaceAll('\n', '\r\n') : event))
          const kept = blocks.filter((block) => !isOurs(block))
          const { out, began } = filtered(events, sizes)
          expect(objectsOf(out)).toEqual(objectsOf(eventsOfAnswer(kept).join('')))
          expect(began).toBe(kept.length < blocks.length)
          const first = blocks.findIndex(isOurs)
          const untouched = eventsOfAnswer(blocks.slice(0, Math.max(0, first)))
            .slice(0, -2)
            .join('')
          expect(out.startsWith(crlf ? untouched.replaceAll('\n', '\r\n') : untouched)).toBe(true)
          expect(validateMessagesStream(out.replaceAll('\r\n', '\n'))).toEqual(
            validateMessagesStream(eventsOfAnswer(kept).join('')),
          )
        },
      ),
      runs(300),
    )
  })

  it('gives the very same buffers back where no hidden call is', () => {
    fc.assert(
      fc.property(anyAnswer, (blocks) => {
        const round = filtering(filter(names))
        for (const event of eventsOfAnswer(blocks.filter((block) => !isOurs(block)))) {
          const chunk = Buffer.from(event)
          expect(round.push(chunk)).toBe(chunk)
        }
        expect(round.began).toBe(false)
      }),
      runs(100),
    )
  })

  it('is not misled by names in echoed tools, texts and arguments', () => {
    const start = {
      type: 'message_start',
      message: { id: 'm', tools: [{ type: 'tool_use', name: 'clock' }], content: [], usage: {} },
    }
    const server = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: 's', name: 'web_fetch', input: {} },
    }
    const mine = {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 's', name: 'Bash', input: { name: 'clock' } },
    }
    const events = [typedEvent(start), typedEvent(server), typedEvent(mine)]
    expect(filtered(events, [3])).toEqual({ out: events.join(''), began: false })
  })

  it.each(['max_tokens', 'refusal', 'end_turn', 'pause_turn'])('leaves the reason %s', (reason) => {
    expect(filtered(eventsOfAnswer([hi, clock], { reason })).out).toContain(`"stop_reason":"${reason}"`)
  })

  it('lets comments, pings, errors and broken data by', () => {
    const others = [
      ': hm\n\n',
      typedEvent({ type: 'ping' }),
      'data: {"half\n\n',
      typedEvent({ type: 'error', error: { message: 'x' } }),
      '\n',
    ]
    const [start = '', ...rest] = eventsOfAnswer([clock])
    const { out } = filtered([start, ...rest.slice(0, 2), ...others, ...rest.slice(2)], [4, 3])
    expect(out).toContain(others.join(''))
  })

  it('hides a call whose stream ends without a blank line', () => {
    const cut = eventsOfAnswer([hi, clock]).slice(0, 5)
    expect(objectsOf(filtered([...cut.slice(0, -1), (cut.at(-1) ?? '').trimEnd()]).out)).toHaveLength(4)
  })

  it('keeps blocks apart that come one within the other', () => {
    const start = (index: number, block: JsonObject): string =>
      typedEvent({ type: 'content_block_start', index, content_block: block })
    const stop = (index: number): string => typedEvent({ type: 'content_block_stop', index })
    const { out } = filtered([start(0, text('')), start(1, clock), start(2, bash), stop(0), stop(2), stop(1)])
    expect(objectsOf(out).map((event) => [event['type'], event['index']])).toEqual([
      ['content_block_start', 0],
      ['content_block_start', 1],
      ['content_block_stop', 0],
      ['content_block_stop', 1],
    ])
  })

  it('says what stays of an answer that calls', () => {
    expect(reasonOf([bash])).toBe('tool_use')
    expect(filtered(eventsOfAnswer([clock, bash])).out).toContain('"stop_reason":"tool_use"')
  })
})

describe('filter of a JSON answer', () => {
  it('leaves every other byte', () => {
    const body = Buffer.from(
      '{ "id":"m", "content" : [ {"type":"text","text":"\\u0041 \\"clock\\"","x":1.50} , {"type":"tool_use",' +
        '"id":"c","name":"clock","input":{}} ] ,\n "stop_reason": "tool_use", "usage":{"z":-0} }',
    )
    expect(filterBody(body, names).toString()).toBe(
      '{ "id":"m", "content" : [ {"type":"text","text":"\\u0041 \\"clock\\"",' +
        '"x":1.50} ] ,\n "stop_reason": "end_turn", "usage":{"z":-0} }',
    )
  })

  it('makes the answer that it would be without hidden calls', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(0, 1), (blocks, space) => {
        const kept = blocks.filter((block) => !isOurs(block))
        const body = Buffer.from(JSON.stringify(bodyOfAnswer(blocks), null, space))
        const out = filterBody(body, names)
        if (kept.length === blocks.length) expect(out).toBe(body)
        else expect(JSON.parse(out.toString())).toEqual(bodyOfAnswer(kept))
      }),
      runs(300),
    )
  })

  it.each<[string, JsonObject[]]>([
    ['said', [text('"clock"'), text('clock')]],
    ['an argument', [call('Bash', 'b', { name: 'clock', type: 'tool_use' })]],
    ['run by the vendor', [{ type: 'server_tool_use', id: 's', name: 'clock', input: {} }]],
  ])('is the same buffer where a name is only %s', (_what, blocks) => {
    const body = Buffer.from(JSON.stringify(bodyOfAnswer(blocks)))
    expect(filterBody(body, names)).toBe(body)
  })

  it.each([
    '',
    'null',
    '[{"name":"clock"}]',
    '{"content":[{"type":"tool_use","name":"clock"',
    '{"content":{"name":"clock"}}',
    '{"content":null,"x":"clock"}',
    '{"content":["clock",null,3]}',
  ])('leaves what is no answer: %s', (json) => {
    const body = Buffer.from(json)
    expect(filterBody(body, names)).toBe(body)
  })

  it.each(['tool_use', 'tool-use', 'tool_calls', 'TOOL_USE'])('makes a stop of %s, as gateways spell it', (reason) => {
    const out = filterBody(Buffer.from(JSON.stringify(bodyOfAnswer([call('clock', 'c')], { reason }))), names)
    expect(JSON.parse(out.toString())).toMatchObject({ content: [], stop_reason: 'end_turn' })
  })

  it('keeps a reason that says more', () => {
    const out = filterBody(
      Buffer.from(JSON.stringify(bodyOfAnswer([call('clock', 'c')], { reason: 'max_tokens' }))),
      names,
    )
    expect(JSON.parse(out.toString())).toMatchObject({ content: [], stop_reason: 'max_tokens' })
  })
})
