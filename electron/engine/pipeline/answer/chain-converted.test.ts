import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { beginningOf } from '../../protocol/beginning.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { convertToBody, convertToStream, type AnswerConversion } from '../../protocol/canonical/index.ts'
import { chatConversion } from '../../protocol/chat/convert/index.ts'
import { messagesCodec } from '../../protocol/messages/codec.ts'
import { messagesConversion } from '../../protocol/messages/convert/index.ts'
import { validateMessagesStream } from '../../protocol/testing/validate-messages.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import { parseObject } from '../../protocol/values.ts'
import { answerChain, type AnswerOutcome } from './chain.ts'
import { writeAnswer } from '../send/attempt.ts'
import type { Reply } from '../turn.ts'

/** A Chat provider answers a client of Messages. */
function scene({
  streaming = true,
  refuses = () => false,
}: { streaming?: boolean; refuses?: (status: number) => boolean } = {}) {
  const sent: string[] = []
  const heads: { status: number; headers: Record<string, string | string[]> }[] = []
  let ended = false
  let room = true
  const reply: Reply = {
    head: (status, headers) => {
      heads.push({ status, headers })
    },
    write: (chunk) => {
      sent.push(Buffer.from(chunk).toString())
      return room
    },
    end: (chunk) => {
      if (chunk) sent.push(Buffer.from(chunk).toString())
      ended = true
    },
    abort: () => {
      throw new Error('never')
    },
    get headSent() {
      return heads.length > 0
    },
    get finished() {
      return ended
    },
    left: false,
    onDrain: () => undefined,
    onClose: () => undefined,
  }
  let ids = 0
  const request = messagesConversion.readRequest(
    { model: 'claude', max_tokens: 10, stream: streaming, messages: [{ role: 'user', content: 'hi' }] },
    { path: '/v1/messages' },
  )
  const answer: AnswerConversion = {
    from: chatConversion,
    to: messagesConversion,
    restore: (emit) => emit,
    context: { model: 'claude', request, nowMs: 1, newId: (prefix) => `${prefix}${++ids}`, dropped: () => undefined },
  }
  const clock = virtualClock()
  let outcome: AnswerOutcome | null = null
  let committed = 0
  let seen: ResponseObserver | null = null
  const passing = answerChain(
    {
      client: reply,
      readsLists: false,
      streaming,
      mayRefuse: refuses,
      isNoAnswer: () => false,
      filterHeaders: (h) => h,
      redact: (bytes) => bytes,
      clock,
      redirected: (to) => new OnwardError('upstream-redirected', to),
      observerFor: (form, status) => (seen = messagesCodec.observe(form, status)),
      beginning: beginningOf('chat'),
      silence: null,
      mayAskAnother: () => false,
      onSaid: () => undefined,
      onHead: () => undefined,
      onBegins: () => undefined,
      onCommitted: () => {
        committed++
      },
      onDone: (o) => {
        outcome = o
      },
      conversion: {
        error: ({ status }, code, message) => ({
          body: messagesCodec.error({ status, code, message, requestId: 'req_1' }),
          headers: {},
        }),
        conversion: {
          streamType: 'text/event-stream; charset=utf-8',
          toStream: () => convertToStream(answer),
          inThread: () => null,
          toBody: () => convertToBody(answer),
          dropped: () => [],
          usage: () => null,
          errorOf: (body) => chatConversion.readError(parseObject(body) ?? {}),
        },
      },
    },
    writeAnswer(reply),
  )
  const { handler } = passing
  let dumped = false
  passing.attach({ abort: () => undefined, dump: () => (dumped = true), resume: () => undefined })
  return {
    handler,
    clock,
    dumped: () => dumped,
    heads,
    text: () => sent.join(''),
    outcome: () => outcome,
    committed: () => committed,
    full: () => {
      room = false
    },
    summary: (brokenOff = false) => seen?.finish(brokenOff),
  }
}
const sse = { 'content-type': 'text/event-stream', 'x-vendor': 'theirs', 'retry-after': '3' }
const json = { 'content-type': 'application/json' }
const chunk = (delta: unknown, finish: string | null = null): Buffer =>
  Buffer.from(
    'data: ' +
      JSON.stringify({
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'up',
        choices: [{ index: 0, delta, finish_reason: finish }],
      }) +
      '\n\n',
  )
const done = Buffer.from('data: [DONE]\n\n')
const whole = Buffer.from(
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'up',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  }),
)
const broke = new OnwardError('upstream-broke-off', 'The provider closed the connection.', { retryable: true })

describe('an answer of another protocol', () => {
  it('streams on event by event, with a head of the client’s own', () => {
    const s = scene()
    s.handler.onHead(200, sse)
    expect(s.heads).toEqual([])
    s.handler.onData(Buffer.from(': begins\n\n'))
    expect(s.heads).toEqual([])
    s.handler.onData(chunk({ role: 'assistant', content: 'Hel' }))
    expect(s.heads).toEqual([
      {
        status: 200,
        headers: {
          'retry-after': '3',
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache',
        },
      },
    ])
    expect(s.text()).toContain('"text":"Hel"')
    for (const part of [chunk({ content: 'lo' }), chunk({}, 'stop'), done]) s.handler.onData(part)
    s.handler.onEnd()
    expect(validateMessagesStream(s.text())).toEqual([])
    expect(s.outcome()).toMatchObject({ kind: 'answered', status: 200, brokenOff: null })
    expect(s.summary()).toMatchObject({ finish: 'stop', complete: true, text: 'Hello' })
    expect(s.committed()).toBe(1)
  })

  it('holds the upstream back for a client that reads slowly', () => {
    const s = scene()
    s.handler.onHead(200, sse)
    s.full()
    expect(s.handler.onData(chunk({ content: 'a' }))).toBe(false)
  })

  it.each([
    ['ends cleanly without its terminal event', false],
    ['breaks off', true],
  ])('that %s ends in the client’s error event, and counts as broken off', (_, breaks) => {
    const s = scene()
    s.handler.onHead(200, sse)
    s.handler.onData(chunk({ content: 'Half' }))
    if (breaks) s.handler.onError(broke)
    else s.handler.onEnd()
    expect(s.text()).toMatch(/event: error\ndata: .*\n\n$/)
    expect(s.text()).not.toContain('message_stop')
    expect(s.summary(true)).toMatchObject({ finish: 'broken-off', complete: false })
  })

  it('is whole for the client when only the connection’s end was rough', () => {
    const s = scene()
    s.handler.onHead(200, sse)
    for (const part of [chunk({ content: 'Done' }), chunk({}, 'stop'), done]) s.handler.onData(part)
    s.handler.onError(broke)
    expect(validateMessagesStream(s.text())).toEqual([])
    expect(s.outcome()).toMatchObject({ kind: 'answered', brokenOff: null })
  })

  it.each([
    ['a stream', sse, [chunk({ content: 'Hello' }), chunk({}, 'stop'), done]],
    ['a body', json, [whole]],
  ] as const)('that comes as %s is one body for a client that wants one', (_, headers, parts) => {
    const s = scene({ streaming: false })
    s.handler.onHead(200, headers)
    for (const part of parts) s.handler.onData(part)
    if (headers === json) {
      expect(s.heads).toEqual([])
      s.handler.onEnd()
    }
    expect(s.dumped()).toBe(headers === sse)
    expect(s.heads[0]).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(s.text())).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
    })
    expect(s.summary()).toMatchObject({ finish: 'stop', text: 'Hello' })
  })

  it('that comes whole is a stream for a client that wants one, however it is labelled', () => {
    for (const headers of [json, {}]) {
      const s = scene()
      s.handler.onHead(200, headers)
      s.handler.onData(whole)
      s.handler.onEnd()
      expect(validateMessagesStream(s.text())).toEqual([])
      expect(s.summary()).toMatchObject({ finish: 'stop', text: 'Hello' })
    }
  })

  it('that can’t be read is another candidate’s turn, as long as nothing was said', () => {
    for (const [streaming, body] of [
      [true, '<html>'],
      [false, '{"choices":'],
      [false, ''],
    ] as const) {
      const s = scene({ streaming })
      s.handler.onHead(200, json)
      if (body !== '' && body[0] === '{') s.handler.onData(Buffer.from(body))
      else s.handler.onData(Buffer.from('{ <html>'))
      s.handler.onEnd()
      expect(s.heads).toEqual([])
      expect(s.outcome()).toMatchObject({ kind: 'unreachable', error: { code: 'bad-answer', status: 502 } })
    }
  })

  it('that breaks off before it began, or while it is gathered, is another candidate’s turn', () => {
    for (const streaming of [true, false]) {
      const s = scene({ streaming })
      s.handler.onHead(200, streaming ? json : sse)
      s.handler.onError(broke)
      expect([s.heads, s.outcome()]).toMatchObject([[], { kind: 'unreachable', error: { code: 'upstream-broke-off' } }])
    }
  })

  it('that refuses says so in the client’s shape, with the provider’s sentence', () => {
    const s = scene()
    s.handler.onHead(400, { ...json, 'retry-after': '9' })
    s.handler.onData(
      Buffer.from('{"error":{"message":"Too many tools.","type":"invalid_request_error","code":"tools"}}'),
    )
    s.handler.onEnd()
    expect(s.heads[0]).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json', 'retry-after': '9' },
    })
    expect(JSON.parse(s.text())).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('Too many tools.') as string },
    })
    expect(s.outcome()).toMatchObject({ kind: 'answered', status: 400 })
  })

  it('that refuses for now is kept from the client while there is another candidate', () => {
    const s = scene({ refuses: (status) => status === 429 })
    s.handler.onHead(429, json)
    s.handler.onData(Buffer.from('{"error":{"message":"slow"}}'))
    s.handler.onEnd()
    expect(s.outcome()).toMatchObject({ kind: 'refused', status: 429 })
    expect(s.heads).toEqual([])
  })

  it('that sends its callers on is no answer', () => {
    const s = scene()
    s.handler.onHead(302, { location: 'https://elsewhere' })
    s.handler.onEnd()
    expect(s.outcome()).toMatchObject({ kind: 'unreachable', error: { code: 'upstream-redirected' } })
  })
})
