import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { entryProtocols } from '../../../../shared/words.ts'
import { codecOf } from '../index.ts'
import { observing } from '../testing/observing.ts'
import { cut, cuts, watch } from '../testing/summaries.ts'
import { tailUnits, textTail } from './observer.ts'

describe.each(entryProtocols)('an observer of %s', (protocol) => {
  const codec = codecOf(protocol)
  const ask = { id: 'x', model: 'm', text: 'hello "you" 中', nowMs: 1000 }

  it.each([true, false])('reads what Onward itself answers (stream: %s)', (stream) => {
    const { contentType, body } = codec.answer({ ...ask, stream })
    expect(watch(codec, body, { contentType })).toMatchObject({
      finish: 'stop',
      complete: true,
      text: ask.text,
      model: 'm',
      toolNames: [],
      error: null,
    })
  })
  it.each([true, false])('calls no beginning of an answer a stop (stream: %s)', (stream) => {
    const { contentType, body } = codec.answer({ ...ask, stream })
    for (let end = 0; end < body.length; end++) {
      const observer = observing(codec, contentType, 200)
      observer.push(body.subarray(0, end))
      const endedBefore = observer.ended
      const seen = observer.finish(true)
      expect(seen.complete).toBe(endedBefore)
      expect(seen.finish).toBe(endedBefore ? 'stop' : 'broken-off')
    }
  })
  it('reads a stream also when it is labelled as something else', () => {
    for (const contentType of ['', 'text/plain', 'application/json', 'TEXT/EVENT-STREAM;charset=utf-8']) {
      expect(watch(codec, codec.answer({ ...ask, stream: true }).body, { contentType })).toMatchObject({
        finish: 'stop',
        complete: true,
      })
    }
  })
  it('reads a last event without its blank line where the body ended properly', () => {
    const { contentType, body } = codec.answer({ ...ask, stream: true })
    for (const end of [body.length - 1, body.length - 2]) {
      const seen = watch(codec, body.subarray(0, end), { contentType })
      expect(seen).toMatchObject({ finish: 'stop', complete: true, text: ask.text })
    }
  })
  it('reads the end of a text of megabytes, in whatever pieces it comes', () => {
    const text = 'It "says" 中\n'.repeat(200_000)
    const { contentType, body } = codec.answer({ ...ask, text, stream: false })
    for (const size of [20_000, 70_001, body.length]) {
      const observer = observing(codec, contentType, 200)
      for (let at = 0; at < body.length; at += size) observer.push(body.subarray(at, at + size))
      const seen = observer.finish(false)
      expect(seen).toMatchObject({ finish: 'stop', complete: true, model: 'm', error: null })
      expect(seen.text).toBe(text.slice(-seen.text.length))
      expect(seen.text.length).toBeGreaterThan(3_990)
    }
  })
  it('calls half an event no end, even where the body ended properly', () => {
    const { contentType, body } = codec.answer({ ...ask, stream: true })
    for (let end = 0; end < body.length; end++) {
      const piece = body.subarray(0, end)
      if (/[}\]]\n?$/.test(piece.toString())) continue
      const { complete } = watch(codec, piece, { contentType, brokenOff: true })
      expect(watch(codec, piece, { contentType }).complete).toBe(complete)
    }
  })
  it('reads JSON also when it is labelled as something else, with white space or a BOM before it', () => {
    const { body } = codec.answer({ ...ask, stream: false })
    expect(watch(codec, body, { contentType: 'text/plain' })).toMatchObject({ finish: 'stop', complete: true })
    expect(watch(codec, Buffer.concat([Buffer.from(' \n'), body]), { contentType: 'application/json' })).toMatchObject({
      finish: 'stop',
      complete: true,
    })
  })
  it.each<[string, string, string]>([
    ['an HTML page', 'text/html', '<!doctype html><html>\n\n<body>data: {}</body></html>'],
    ['plain words', 'text/plain', 'Bad gateway'],
    ['nothing', 'application/json', ''],
    ['a list', 'application/json', '[1,2]'],
    ['half of an object', 'application/json', '{"id":'],
    ['JSON where a stream was announced', 'text/event-stream', '{"id":"x"}'],
    ['binary', 'application/octet-stream', '\u0000\u0001\ufffd'],
  ])('reports %s as an error', (_, contentType, answer) => {
    expect(watch(codec, answer, { contentType })).toMatchObject({
      finish: 'error',
      complete: false,
      error: { code: 'bad-answer' },
    })
    expect(watch(codec, answer, { contentType, brokenOff: true })).toMatchObject({
      finish: 'broken-off',
      complete: false,
      error: null,
    })
  })
  it('reports a status that is an error, with the words of the provider when it has some', () => {
    expect(
      watch(codec, codec.error({ status: 429, code: 'slow_down', message: 'Slow down.', requestId: 'r' }), {
        status: 429,
      }),
    ).toMatchObject({ finish: 'error', complete: true, error: { message: 'Slow down.' } })
    expect(watch(codec, '<html>', { status: 502, contentType: 'text/html' })).toMatchObject({
      finish: 'error',
      complete: false,
      error: { code: 'http-502' },
    })
    expect(watch(codec, '{"error":"no"}', { status: 400, contentType: 'text/event-stream' })).toMatchObject({
      finish: 'error',
      error: { code: 'provider-error', message: 'no' },
    })
  })
  it('reports its own error event', () => {
    const event = codec.errorEvent({
      code: 'upstream-broke-off',
      message: 'The provider hung up.',
      requestId: 'r',
      sequence: 3,
      responseId: null,
      model: null,
      nowMs: 0,
    })
    const stream = codec
      .answer({ ...ask, stream: true })
      .body.toString()
      .split('\n\n')
      .slice(0, protocol === 'gemini' ? 0 : 2)
      .join('\n\n')
    expect(watch(codec, `${stream}\n\n${event.toString()}`)).toMatchObject({
      finish: 'error',
      complete: protocol === 'responses',
      error: { message: 'The provider hung up.' },
    })
  })
  it('never throws and never calls garbage a stop', () => {
    const bits = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'data: ',
        'event: ',
        '\n\n',
        '\r\n',
        '{',
        '}',
        '[',
        ']',
        '"type"',
        ':',
        '{"type":"',
        'message_delta"',
        '"choices":[null]',
        '"delta"',
        '"finish_reason":5',
        '"usage":[]',
        'null',
        '{"response":{"output":[1]},"type":"response.in_progress"}',
        '{"error":{}}',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(bits, { maxLength: 20 }),
        cuts,
        fc.boolean(),
        fc.constantFrom('text/event-stream', 'application/json', ''),
        (parts, places, brokenOff, contentType) => {
          const seen = watch(codec, parts.join(''), {
            contentType,
            brokenOff,
            chunks: cut(Buffer.from(parts.join('')), places),
          })
          expect(seen.finish).not.toBe('stop')
        },
      ),
      runs(1000),
    )
  })
  it('takes anything JSON can be for an answer without a throw', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('choices', 'output', 'content', 'usage', 'response', 'message', 'error', 'delta'),
        (value, name) => {
          const seen = watch(codec, JSON.stringify({ [name]: value, status: 'completed?' }), {
            contentType: 'application/json',
          })
          expect(seen.complete).toBe(true)
          expect(['incomplete', 'error', 'tool-calls']).toContain(seen.finish)
        },
      ),
      runs(500),
    )
  })
  it('reads nothing of an answer too large to keep, and says so', () => {
    const observer = observing(codec, 'application/json', 200)
    observer.push(Buffer.from('{"a":"'))
    for (let i = 0; i < 17; i++) observer.push(Buffer.alloc(1024 * 1024, 0x61))
    expect(observer.finish(false)).toMatchObject({
      finish: 'error',
      complete: false,
      error: { code: 'answer-too-large' },
    })
  })
})

describe('the tail of a text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '\n',
      '中',
      '😀',
      '"',
      '\\',
      'x'.repeat(3999),
      '中'.repeat(9000),
      '\u0001'.repeat(4000),
      '\u0001'.repeat(5000),
    ),
  )
  it('is the end of all pieces together', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 40 }), (pieces) => {
        const tail = textTail()
        for (const [text, asToken] of pieces) {
          const json = Buffer.from(JSON.stringify(text))
          if (asToken) tail.addToken(json, { start: 0, end: json.length })
          else tail.addText(text)
        }
        const text = pieces.map(([t]) => t).join('')
        const end = tail.text()
        expect(text.endsWith(end)).toBe(true)
        expect(end.length).toBeLessThanOrEqual(tailUnits)
        // A text that fits is kept whole while pieces are small; a piece of escapes alone may cost the one before it.
        if (text.length <= tailUnits) expect(end.length).toBeGreaterThanOrEqual(text.length - 1)
      }),
      runs(300),
    )
  })
  it('keeps a piece that fills it', () => {
    for (const char of ['x', '中', '\u0001']) {
      const tail = textTail()
      for (let i = 0; i < 20; i++) tail.addText(char.repeat(4000))
      expect(tail.text()).toBe(char.repeat(4000))
    }
  })
  it('joins a character that was cut in two', () => {
    const tail = textTail()
    for (const token of [String.raw`"a\ud83d"`, String.raw`"\ude00b"`])
      tail.addToken(Buffer.from(token), { start: 0, end: token.length })
    expect(tail.text()).toBe('a😀b')
  })
  it('keeps texts apart where something else came between', () => {
    const tail = textTail()
    tail.separate()
    tail.addText('a')
    tail.separate()
    tail.separate()
    tail.addText('')
    tail.addText('b')
    expect(tail.text()).toBe('a\n\nb')
  })
})
