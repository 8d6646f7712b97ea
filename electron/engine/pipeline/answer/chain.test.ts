import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { beginningOf } from '../../protocol/beginning.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import { answerChain, type AnswerOutcome } from './chain.ts'
import { writeAnswer } from '../send/attempt.ts'
import { emptySummary, type Reply } from '../turn.ts'

function scene(
  options: { refuses?: (status: number) => boolean; endsWith?: string; lastWord?: Buffer; streaming?: boolean } = {},
) {
  const sent: string[] = []
  const heads: number[] = []
  let ended = false
  let aborted = false
  let drain: () => void = () => undefined
  let room = true
  const reply: Reply = {
    head: (status) => {
      heads.push(status)
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
      aborted = true
    },
    get headSent() {
      return heads.length > 0
    },
    get finished() {
      return ended
    },
    left: false,
    onDrain: (listener) => {
      drain = listener
    },
    onClose: () => undefined,
  }
  const clock = virtualClock()
  let seen = ''
  const observer: ResponseObserver = {
    frame: (frame) => {
      seen += frame.raw.toString()
    },
    get ended() {
      return options.endsWith !== undefined && seen.includes(options.endsWith)
    },
    get progress() {
      return seen.includes('[DONE]\n\n') ? 'over' : observer.ended ? 'whole' : 'under-way'
    },
    failed: false,
    seen: { responseId: null, model: null, error: null },
    finish: () => emptySummary('stop', null),
  }
  let outcome: AnswerOutcome | null = null
  let committed = 0
  const passing = answerChain(
    {
      client: reply,
      conversion: null,
      readsLists: false,
      streaming: options.streaming ?? false,
      mayRefuse: (status) => options.refuses?.(status) ?? false,
      isNoAnswer: () => false,
      filterHeaders: (h) => h,
      redact: (bytes) => bytes,
      observerFor: () => observer,
      errorFrame: () => Buffer.from('event: error\ndata: {}\n\n'),
      redirected: (to) => new OnwardError('upstream-redirected', to),
      clock,
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
      ...(options.lastWord ? { lastWord: options.lastWord } : {}),
    },
    writeAnswer(reply),
  )
  return {
    ...passing,
    sent,
    heads,
    outcome: () => outcome,
    ended: () => ended,
    aborted: () => aborted,
    drain: () => drain(),
    full: () => {
      room = false
    },
    observed: () => seen,
    committed: () => committed,
  }
}
const sse = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }
const broke = new OnwardError('upstream-broke-off', 'The provider closed the connection.', { retryable: true })

describe('an answer of the client’s protocol', () => {
  it('passes a stream on unchanged and shows every byte to the observer', () => {
    const s = scene({ endsWith: '[DONE]' })
    s.handler.onHead(200, sse)
    for (const part of ['data: {"a":1}\n', '\ndata: [DO', 'NE]\n\n']) s.handler.onData(Buffer.from(part))
    s.handler.onEnd()
    expect(s.sent.join('')).toBe('data: {"a":1}\n\ndata: [DONE]\n\n')
    expect(s.observed()).toBe(s.sent.join(''))
    expect(s.committed()).toBe(1)
    expect(s.outcome()).toMatchObject({ kind: 'answered', status: 200, brokenOff: null })
  })

  it('sends no head of a stream before its first byte, so that another candidate can still answer', () => {
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    for (const [part, outcome] of [
      [null, { kind: 'unreachable', error: { code: 'upstream-broke-off' } }],
      [overloaded, { kind: 'refused', status: 529 }],
    ] as const) {
      const s = scene({ refuses: (status) => status >= 400 })
      s.handler.onHead(200, sse)
      expect(s.heads).toEqual([])
      if (part === null) s.handler.onEnd()
      else s.handler.onData(Buffer.from(part))
      expect([s.heads, s.sent, s.committed()]).toEqual([[], [], 0])
      expect(s.outcome()).toMatchObject(outcome)
    }
  })

  it('hands an early error on as it came when nobody else is there', () => {
    const s = scene({ refuses: () => false, endsWith: 'overloaded' })
    s.handler.onHead(200, sse)
    s.handler.onData(Buffer.from('event: error\ndata: {"error":{"type":"overloaded_error"}}\n\n'))
    s.handler.onEnd()
    expect([s.heads, s.sent.join('')]).toEqual([[200], 'event: error\ndata: {"error":{"type":"overloaded_error"}}\n\n'])
  })

  it('puts the error event behind whole events when the upstream breaks off inside one', () => {
    const s = scene({ endsWith: '[DONE]' })
    s.handler.onHead(200, sse)
    s.handler.onData(Buffer.from('data: {"a":1}\n\ndata: {"b":'))
    s.handler.onError(broke)
    expect(s.sent.join('')).toBe('data: {"a":1}\n\nevent: error\ndata: {}\n\n')
    expect(s.outcome()).toMatchObject({ kind: 'answered', brokenOff: { code: 'upstream-broke-off' } })
  })

  it('says so when a stream ends cleanly without its terminal event', () => {
    const s = scene({ endsWith: '[DONE]' })
    s.handler.onHead(200, sse)
    s.handler.onData(Buffer.from('data: {"a":1}\n\n'))
    s.handler.onEnd()
    expect(s.sent.join('')).toBe('data: {"a":1}\n\nevent: error\ndata: {}\n\n')
  })

  it('leaves half an event out in front of that, and takes a terminal event without its blank line for one', () => {
    const half = scene({ endsWith: '[DONE]' })
    half.handler.onHead(200, sse)
    half.handler.onData(Buffer.from('data: {"a":1}\n\ndata: {"b":'))
    half.handler.onEnd()
    expect(half.sent.join('')).toBe('data: {"a":1}\n\nevent: error\ndata: {}\n\n')
    const whole = scene({ endsWith: '[DONE]' })
    whole.handler.onHead(200, sse)
    whole.handler.onData(Buffer.from('data: {"a":1}\n\ndata: [DONE]'))
    whole.handler.onEnd()
    expect(whole.sent.join('')).toBe('data: {"a":1}\n\ndata: [DONE]')
  })

  it('streams to a client that asked for a stream, however the provider labels it, and holds JSON', () => {
    for (const type of ['Text/Event-Stream;charset=utf-8', 'text/plain', '']) {
      const s = scene({ endsWith: '[DONE]', streaming: true })
      s.handler.onHead(200, { 'content-type': type })
      s.handler.onData(Buffer.from('data: {"a":1}\n\n'))
      expect(s.sent.join('')).toBe('data: {"a":1}\n\n')
    }
    const s = scene({ streaming: true })
    s.handler.onHead(200, {})
    s.handler.onData(Buffer.from('\n {"a":'))
    expect(s.heads).toEqual([])
    s.handler.onData(Buffer.from('1}'))
    s.handler.onEnd()
    expect(s.sent).toEqual(['\n {"a":1}'])
  })

  it.each([
    ['application/json', '{"a":1}'],
    ['', '{"a":1}'],
    ['', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
  ])('reads what stands behind a byte order mark, and passes it on (%s %j)', (type, text) => {
    const bytes = Buffer.from(`\uFEFF${text}`)
    for (const size of [1, 2, 4, bytes.length]) {
      const s = scene({ endsWith: text.slice(-4), streaming: true })
      s.handler.onHead(200, { 'content-type': type })
      for (let i = 0; i < bytes.length; i += size) s.handler.onData(bytes.subarray(i, i + size))
      s.handler.onEnd()
      expect([s.sent.join(''), s.outcome()]).toMatchObject([bytes.toString(), { kind: 'answered', brokenOff: null }])
    }
  })

  it('lets no redirection through', () => {
    const s = scene()
    s.handler.onHead(308, { location: 'https://elsewhere.test/v1' })
    s.handler.onData(Buffer.from('moved'))
    expect([s.heads, s.sent, s.outcome()]).toMatchObject([
      [],
      [],
      { kind: 'unreachable', error: { code: 'upstream-redirected', message: 'https://elsewhere.test/v1' } },
    ])
  })

  it('hands an error on whole, also one that is labelled a stream', () => {
    const s = scene({ endsWith: '[DONE]', streaming: true })
    s.handler.onHead(400, sse)
    s.handler.onData(Buffer.from('data: no\n\n'))
    s.handler.onEnd()
    expect(s.sent).toEqual(['data: no\n\n'])
  })

  it.each([
    ['data: [DONE]\n\n', 'data: [DONE]\n\n'],
    ['data: [DONE]\r\n\r\n', 'data: [DONE]\r\n\r\n'],
    ['', 'data: [DONE]\n\n'],
    ['data: [DO', 'data: [DONE]\n\n'],
    ['data: [DONE]\n', 'data: [DONE]\n\n'],
  ])('says the last word once and whole when the connection resets behind the finish: %j', (came, sent) => {
    const s = scene({ endsWith: '"stop"', lastWord: Buffer.from('data: [DONE]\n\n') })
    s.handler.onHead(200, sse)
    s.handler.onData(Buffer.from(`data: "stop"\n\n${came}`))
    s.handler.onError(broke)
    expect(s.sent.join('')).toBe(`data: "stop"\n\n${sent}`)
    expect(s.outcome()).toMatchObject({ kind: 'answered', brokenOff: null })
  })

  it('adds nothing when the connection resets behind the terminal event', () => {
    const s = scene({ endsWith: '[DONE]' })
    s.handler.onHead(200, sse)
    s.handler.onData(Buffer.from('data: [DONE]\n\n'))
    s.handler.onError(broke)
    expect(s.sent.join('')).toBe('data: [DONE]\n\n')
    expect(s.outcome()).toMatchObject({ kind: 'answered', brokenOff: null })
  })

  it('sends nothing of a JSON answer that breaks off, so that a proper error or another provider can follow', () => {
    const s = scene()
    s.handler.onHead(200, json)
    s.handler.onData(Buffer.from('{"half":'))
    s.handler.onError(broke)
    expect(s.heads).toEqual([])
    expect(s.committed()).toBe(0)
    expect(s.outcome()).toMatchObject({ kind: 'unreachable' })
  })

  it('keeps a refusal from the client when another candidate exists', () => {
    const s = scene({ refuses: (status) => status === 429 })
    s.handler.onHead(429, json)
    s.handler.onData(Buffer.from('slow down'))
    s.handler.onEnd()
    expect(s.heads).toEqual([])
    expect(s.outcome()).toMatchObject({ kind: 'refused', status: 429, body: Buffer.from('slow down') })
  })

  it('passes the last refusal on as it is', () => {
    const s = scene()
    s.handler.onHead(429, { ...json, 'retry-after': '7' })
    s.handler.onData(Buffer.from('{"error":1}'))
    s.handler.onEnd()
    expect(s.heads).toEqual([429])
    expect(s.sent).toEqual(['{"error":1}'])
  })

  it('asks the upstream to wait for a slow client and to go on', () => {
    const s = scene()
    let resumed = 0
    s.attach({
      abort: () => undefined,
      dump: () => undefined,
      resume: () => {
        resumed++
      },
    })
    s.handler.onHead(200, sse)
    s.full()
    expect(s.handler.onData(Buffer.from('data: 1\n\n'))).toBe(false)
    s.drain()
    expect(resumed).toBe(1)
  })

  it('never ends an over-long JSON answer as if it were whole', () => {
    const s = scene()
    s.handler.onHead(200, json)
    s.handler.onData(Buffer.alloc(9 * 1024 * 1024, 97))
    s.handler.onError(broke)
    expect(s.ended()).toBe(false)
    expect(s.aborted()).toBe(true)
  })
})
