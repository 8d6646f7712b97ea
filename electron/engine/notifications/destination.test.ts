import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { OutsideFailure } from '../../../shared/notifications.ts'
import type { Verdict } from './answer.ts'
import { createDestination } from './destination.ts'
import { together } from './together.ts'
import type { OutsideMessage } from './types.ts'

const message = (id: string): OutsideMessage => ({
  id,
  class: 'needs-you',
  title: `${id} needs you`,
  body: 'Asks a question',
  at: 0,
  session: { id, name: id },
  link: null,
  more: 0,
})
const down: Verdict = { kind: 'refused', why: { code: 'unreachable' }, again: true, afterMs: null }

function place(answers: (tries: number) => Verdict) {
  const clock = virtualClock(0)
  const sent: { at: number; message: OutsideMessage }[] = []
  const ends: [string, OutsideFailure | null][] = []
  const destination = createDestination({
    clock,
    deliver: async (one) => {
      sent.push({ at: clock.now(), message: one })
      return answers(sent.length)
    },
    together: (messages) => together(messages, sentencesOf('en').outside),
    onEnd: (one, why) => {
      ends.push([one.id, why])
    },
    onChange() {},
  })
  return { clock, sent, ends, destination }
}

describe('a place that notices are sent to', () => {
  it('is sent one after the other, a second apart, and several that wait together', async () => {
    const { clock, sent, ends, destination } = place(() => ({ kind: 'taken' }))
    for (const id of ['a', 'b', 'c', 'd']) destination.send(message(id))
    await clock.advance(0)
    expect(sent.map(({ message: one }) => one.title)).toEqual(['4 notices from Onward'])
    expect(sent[0]?.message).toMatchObject({ body: 'a needs you\nb needs you\nc needs you\nd needs you', more: 3 })
    destination.send(message('e'))
    destination.send(message('f'))
    await clock.advance(5_000)
    expect(sent.slice(1).map(({ at, message: one }) => [at, one.id])).toEqual([
      [1_000, 'e'],
      [2_000, 'f'],
    ])
    expect(ends.map(([id, why]) => [id, why])).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, null]))
    expect(destination.state()).toEqual({ kind: 'sent', at: 2_000 })
  })

  it('gets at most ten in five minutes, and the rest as one', async () => {
    const { clock, sent, ends, destination } = place(() => ({ kind: 'taken' }))
    for (let n = 0; n < 40; n++) {
      destination.send(message(`s${n}`))
      await clock.advance(2_000)
    }
    expect(sent).toHaveLength(10)
    await clock.advance(5 * 60_000)
    expect(sent).toHaveLength(11)
    expect(sent[10]?.message.title).toBe('30 notices from Onward')
    expect(sent[10]?.message.body.split('\n')).toHaveLength(11)
    expect(sent[10]?.message.body).toMatch(/^and 20 more\ns30 needs you\n/)
    expect(ends).toHaveLength(40)
  })

  it('is tried again with longer and longer waits, and then told as failed', async () => {
    const { clock, sent, ends, destination } = place(() => down)
    destination.send(message('a'))
    await clock.advance(0)
    expect(destination.state()).toEqual({
      kind: 'retrying',
      since: 0,
      tries: 1,
      next: 5_000,
      why: { code: 'unreachable' },
    })
    await clock.advance(60 * 60_000)
    expect(sent.map(({ at }) => at / 1000)).toEqual([0, 5, 35, 155, 755])
    expect(ends).toEqual([['a', { code: 'unreachable' }]])
    expect(destination.state()).toEqual({ kind: 'failed', at: 755_000, why: { code: 'unreachable' } })
  })

  it('is left alone for as long as the service asks', async () => {
    const { clock, sent, destination } = place((tries) =>
      tries === 1 ? { ...down, kind: 'refused', afterMs: 42_000 } : { kind: 'taken' },
    )
    destination.send(message('a'))
    await clock.advance(60_000)
    expect(sent.map(({ at }) => at)).toEqual([0, 42_000])
    expect(destination.state().kind).toBe('sent')
  })

  it('is not asked again where asking again can not help', async () => {
    const why: OutsideFailure = { code: 'answered', status: 404, said: 'no_service' }
    const { clock, sent, ends, destination } = place(() => ({ kind: 'refused', why, again: false, afterMs: null }))
    destination.send(message('a'))
    await clock.advance(60 * 60_000)
    expect(sent).toHaveLength(1)
    expect(ends).toEqual([['a', why]])
  })

  it('tells what it could not send any more when it ends', async () => {
    const { clock, ends, destination } = place(() => down)
    destination.send(message('a'))
    await clock.advance(0)
    destination.send(message('b'))
    destination.dispose()
    expect(ends).toEqual([
      ['a', { code: 'ended' }],
      ['b', { code: 'ended' }],
    ])
    expect(clock.pending()).toBe(0)
  })
})
