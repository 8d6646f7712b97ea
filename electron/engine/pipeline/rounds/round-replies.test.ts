import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { OnwardError } from '../../base/errors.ts'
import { framed, tellBody, type FramedAnswer, type AnswerStep } from '../answer/framed.ts'
import { beginsWith } from '../answer/hold-beginning.ts'
import { writeAnswer } from '../send/attempt.ts'
import type { Reply } from '../turn.ts'
import { roundReplies as repliesOf, type RoundOptions, keptBytes } from './round-replies.ts'

/** A client that records what it gets. */
function client() {
  const got: string[] = []
  let room = true
  let left = false
  const drained: (() => void)[] = []
  const closed: (() => void)[] = []
  const reply: Reply = {
    head: (status, headers) => {
      got.push(`${status} ${String(headers['content-length'] ?? '-')}`)
    },
    write: (chunk) => {
      got.push(Buffer.from(chunk).toString())
      return room
    },
    end: (chunk) => {
      got.push(`${Buffer.from(chunk ?? []).toString()}$`)
    },
    abort: () => {
      got.push('aborted')
    },
    headSent: false,
    finished: false,
    get left() {
      return left
    },
    onDrain: (listener) => {
      drained.push(listener)
    },
    onClose: (listener) => {
      closed.push(listener)
    },
  }
  return {
    reply,
    got,
    full: () => {
      room = false
    },
    drain: () => {
      for (const d of drained) d()
    },
    leave: () => {
      left = true
      for (const c of closed) c()
    },
  }
}
/** The replies of several rounds, whose answers come as bytes and in the forms that the retry gate gives them. */
function roundReplies(reply: Reply, entry: Parameters<typeof repliesOf>[1], options: RoundOptions) {
  const replies = repliesOf(reply, entry, options)
  let step: AnswerStep | null = null
  let answer: FramedAnswer | null = null
  let head = { status: 200, headers: {} as Record<string, string | string[]> }
  const open = (form: 'events' | 'bytes'): FramedAnswer => {
    step = replies.rounds.hide(replies.rounds.join(writeAnswer(reply)))
    step.head({ ...head, form })
    return (answer = framed(form, step))
  }
  return {
    reply: {
      head(status: number, headers: Record<string, string | string[]>) {
        step = null
        answer = null
        head = { status, headers }
        if (status < 400 && String(headers['content-type']).includes('text/event-stream')) open('events')
      },
      write: (chunk: Buffer): boolean =>
        (answer ?? open(['object', 'list'].includes(beginsWith(chunk)) ? 'bytes' : 'events')).push(chunk),
      end(chunk?: Buffer) {
        if (answer) {
          if (chunk) answer.push(chunk)
          return answer.end()
        }
        step = replies.rounds.hide(replies.rounds.join(writeAnswer(reply)))
        step.head({ ...head, form: 'body' })
        tellBody(step, chunk ?? Buffer.alloc(0))
      },
      abort: () => answer?.error(new OnwardError('upstream-broke-off', 'It broke off.')),
      get left() {
        return reply.left
      },
      onDrain: replies.onDrain,
      onClose: replies.onClose,
    },
    get joined() {
      return replies.joined
    },
    answer: replies.answer,
    next: replies.next,
  }
}
/** A session in reenter mode: a followup may come after any answer. */
const holding = { names: new Set<string>(), holdsEnd: true, holdsEmpty: false, keepsRequest: true }
const json = { 'content-type': 'application/json' }
const sse = { 'content-type': 'text/event-stream' }
const body = (text: string) =>
  Buffer.from(
    JSON.stringify({ id: text, content: [{ type: 'text', text }], usage: { input_tokens: 1, output_tokens: 2 } }),
  )

describe('the replies of several rounds', () => {
  it('make one JSON answer with its own length', () => {
    const c = client()
    const replies = roundReplies(c.reply, 'messages', holding)
    replies.reply.head(200, { ...json, 'content-length': '9' })
    replies.reply.end(body('A'))
    expect(c.got).toEqual([])
    expect(replies.answer()).toEqual({ contentType: 'application/json', body: body('A') })
    replies.next('may-break')
    replies.reply.head(200, json)
    replies.reply.end(body('B'))
    replies.joined.finish()
    const whole =
      '{"id":"A","content":[{"type":"text","text":"A"},{"type":"text",' +
      '"text":"B"}],"usage":{"input_tokens":1,"output_tokens":4}}'
    expect(c.got).toEqual([`200 ${whole.length}`, `${whole}$`])
    expect(replies.joined.bytesOut).toBe(whole.length)
  })

  it.each([
    ['an error', 500, json],
    ['a stream behind JSON', 200, sse],
  ])('take nothing of a later round that is %s', (_what, status, headers) => {
    const c = client()
    const replies = roundReplies(c.reply, 'messages', holding)
    replies.reply.head(200, json)
    replies.reply.end(body('A'))
    replies.next('may-break')
    replies.reply.head(status, headers)
    replies.reply.end(Buffer.from('{"error":"no"}'))
    expect(replies.joined.fits()).toBe(false)
    replies.joined.drop()
    replies.joined.finish()
    expect(c.got).toEqual([`200 ${body('A').length}`, `${body('A').toString()}$`])
  })

  it('let a JSON answer through that is too large to hold, and never go on from it', () => {
    const c = client()
    const replies = roundReplies(c.reply, 'chat', holding)
    replies.reply.head(200, json)
    replies.reply.write(Buffer.from('{"a":'))
    replies.reply.write(Buffer.from('1}'))
    replies.reply.end()
    expect(replies.answer()).toBe(null)
    replies.joined.finish()
    expect(c.got).toEqual(['200 -', '{"a":', '1}', '$'])
  })

  it('see that an unlabelled answer is a stream', () => {
    const c = client()
    const replies = roundReplies(c.reply, 'chat', holding)
    const round = (text: string) => {
      replies.reply.head(200, { 'content-type': 'text/plain' })
      replies.reply.write(Buffer.from(`data: {"id":"${text}","choices":[{"delta":{"content":"${text}"}}]}\n\n`))
      replies.reply.end(Buffer.from('data: [DONE]\n\n'))
    }
    round('A')
    replies.next('may-break')
    round('B')
    expect(replies.joined.fits()).toBe(true)
    replies.joined.finish()
    expect(c.got.join('')).toBe(
      '200 -data: {"id":"A","choices":[{"delta":{"content":"A"}}]}\n\ndata: {"id":"A",' +
        '"choices":[{"delta":{"content":"\\n\\nB"},"finish_reason":null}]}\n\ndata: [DONE]\n\n$',
    )
  })

  it('hand an error on as it is, also one labelled as a stream', () => {
    const c = client()
    const replies = roundReplies(c.reply, 'chat', holding)
    replies.reply.head(500, { ...sse, 'content-length': '4' })
    replies.reply.end(Buffer.from('oops'))
    replies.joined.finish()
    expect(c.got).toEqual(['500 4', 'oops$'])
  })

  it('ask the round under way to wait for a slow client, and only that one to go on', () => {
    const c = client()
    const replies = roundReplies(c.reply, 'chat', holding)
    const resumed: number[] = []
    replies.reply.onDrain(() => resumed.push(1))
    replies.reply.head(200, sse)
    c.full()
    expect(replies.reply.write(Buffer.from('data: {"choices":[{"delta":{"content":"A"}}]}\n\n'))).toBe(false)
    // Nothing is written for what is held back, so nothing has to drain.
    expect(replies.reply.write(Buffer.from('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'))).toBe(true)
    replies.next('may-break')
    replies.reply.onDrain(() => resumed.push(2))
    c.drain()
    expect(resumed).toEqual([2])
  })

  it('tell the round under way that the client left, also one that begins afterwards', async () => {
    const c = client()
    const replies = roundReplies(c.reply, 'chat', holding)
    const told: number[] = []
    replies.reply.onClose(() => told.push(1))
    c.leave()
    replies.reply.onClose(() => told.push(2))
    await Promise.resolve()
    expect(told).toEqual([1, 2])
    expect(replies.reply.left).toBe(true)
  })

  it('cut the connection only for the first round', () => {
    const first = client()
    const replies = roundReplies(first.reply, 'chat', holding)
    replies.reply.head(200, json)
    replies.reply.write(Buffer.from('{"half'))
    replies.reply.abort()
    replies.joined.finish()
    expect(first.got).toEqual(['200 -', '{"half', 'aborted'])

    const second = client()
    const later = roundReplies(second.reply, 'messages', holding)
    later.reply.head(200, json)
    later.reply.end(body('A'))
    later.next('may-break')
    later.reply.head(200, json)
    later.reply.write(Buffer.from('{"half'))
    later.reply.abort()
    expect(later.joined.fits()).toBe(false)
    later.joined.drop()
    later.joined.finish()
    expect(second.got).toEqual([`200 ${body('A').length}`, `${body('A').toString()}$`])
  })
})

const kept = (chunks: readonly Uint8Array[], most = 1_000_000) => {
  const bytes = keptBytes(most)
  const added = chunks.map((chunk) => bytes.add(chunk))
  return { bytes, added }
}

describe('bytes that are kept', () => {
  it('come out as they went in, whatever their pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 40 }), (chunks) => {
        expect(kept(chunks).bytes.all()).toEqual(Buffer.concat(chunks))
      }),
      runs(100),
    )
  })

  it('are its own: what the piece becomes later changes nothing', () => {
    const chunk = Buffer.from('abc')
    const { bytes } = kept([chunk])
    chunk.fill('x')
    expect(bytes.all()?.toString()).toBe('abc')
  })

  it('are all given up when they become too many, and stay so', () => {
    const { bytes, added } = kept([Buffer.alloc(6), Buffer.alloc(4), Buffer.alloc(1), Buffer.alloc(1)], 10)
    expect(added).toEqual([true, true, false, false])
    expect(bytes.all()).toBeNull()
    bytes.clear()
    expect(bytes.add(Buffer.from('new'))).toBe(true)
    expect(bytes.all()?.toString()).toBe('new')
  })

  it('are none at first, and none after a clearing', () => {
    const { bytes } = kept([Buffer.from('abc')])
    bytes.clear()
    expect(bytes.all()).toEqual(Buffer.alloc(0))
    expect(keptBytes(1).all()).toEqual(Buffer.alloc(0))
  })
})
