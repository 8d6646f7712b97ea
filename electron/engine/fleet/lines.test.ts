import { describe, expect, it } from 'vitest'
import { settled } from '../../../shared/testing/settled.ts'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import type { Line } from '../providers/via/line.ts'
import { createLines, type LinesDeps } from './lines.ts'

/** A hub in memory that the test lets drop messages, and two engines at it. */
function world(refused?: OnwardError) {
  const lent: Line[] = []
  const clock = virtualClock()
  const hears: { subject: RegExp; take(subject: string, message: Buffer): void }[] = []
  const serves: { subject: RegExp; answer(subject: string, text: string): Promise<string> }[] = []
  const sent: string[] = []
  let drops = 0
  let lose: (why: Error) => void = () => undefined
  const lost = new Promise<Error>((resolve) => (lose = resolve))
  const matching = (subject: string) => new RegExp(`^${subject.replaceAll('.', '\\.').replace('*', '[^.]+')}$`)
  const hub: LinesDeps['hub'] = {
    most: 1_000,
    lost,
    send(subject, message) {
      if (message.length > 1_000) throw new Error('max_payload')
      sent.push(subject)
      if (drops-- > 0) return
      for (const one of hears) if (one.subject.test(subject)) queueMicrotask(() => one.take(subject, message))
    },
    hear: (subject, take) => void hears.push({ subject: matching(subject), take }),
    serve: (subject, answer) => void serves.push({ subject: matching(subject), answer }),
    async ask(subject, text) {
      // what overtakes the question finds no line
      await settled()
      const found = serves.find((one) => one.subject.test(subject))
      if (!found) throw new OnwardError('fleet-engine-away', 'Nobody there.')
      return found.answer(subject, text)
    },
  }
  let tokens = 0
  const at = (engine: string) =>
    createLines({
      hub,
      fleet: 'lab',
      engine,
      clock,
      random: { token: (bytes) => Buffer.alloc(bytes, ++tokens).toString('base64url') },
      log: silentLog,
      async lend(line) {
        if (refused) throw refused
        lent.push(line)
      },
    })
  at('gpu')
  return { laptop: at('laptop'), lent, clock, sent, lose, drop: () => (drops = 1) }
}
const heard = (line: Line | undefined): string[] => {
  const all: string[] = []
  line?.onMessage((message) => all.push(message.toString()))
  return all
}

describe('a line over the hub', () => {
  it('carries messages both ways, in order, under the name of who sends them', async () => {
    const { laptop, lent, sent } = world()
    const [one, other] = [await laptop.open('gpu'), await laptop.open('gpu')]
    one.send(Buffer.from('hello'))
    other.send(Buffer.from('other'))
    await settled()
    lent[0]?.send(Buffer.from('answer'))
    await settled()
    const there = heard(lent[0])
    one.send(Buffer.from('again'))
    await settled()
    expect([there, heard(lent[1]), heard(one), heard(other)]).toEqual([['hello', 'again'], ['other'], ['answer'], []])
    expect(new Set(sent)).toEqual(new Set(['onward.lab.gpu.lent.laptop', 'onward.lab.laptop.lent.gpu']))
    expect(one.most).toBeLessThan(1_000)
    one.close()
    await settled()
    expect(await lent[0]?.lost).toMatchObject({ message: 'the line ended' })
  })

  it('is lost with one message, with the hub, and with an engine that is silent', async () => {
    const { laptop, lent, clock, drop, lose } = world()
    const first = await laptop.open('gpu')
    await settled()
    drop()
    first.send(Buffer.from('dropped'))
    first.send(Buffer.from('next'))
    expect(await lent[0]?.lost).toMatchObject({ code: 'fleet-lossy' })
    expect(await first.lost).toMatchObject({ message: 'the line ended' })
    const silent = await laptop.open('gpu')
    await settled()
    drop()
    lent[1]?.close()
    await clock.advance(29_000)
    expect(await Promise.race([silent.lost, 'there'])).toBe('there')
    await clock.advance(1_000)
    expect(await silent.lost).toMatchObject({ code: 'fleet-silent' })
    const second = await laptop.open('gpu')
    await clock.advance(3_600_000)
    expect(await Promise.race([second.lost, 'there'])).toBe('there')
    lose(new OnwardError('fleet-hub-away', 'gone'))
    expect(await second.lost).toMatchObject({ code: 'fleet-hub-away' })
    expect(await lent[2]?.lost).toMatchObject({ code: 'fleet-hub-away' })
    expect(clock.pending()).toBe(0)
  })

  it('is not opened where nobody is, or where it is refused', async () => {
    const { laptop } = world(new OnwardError('fleet-may-not', 'It lends nothing.'))
    await expect(laptop.open('nobody')).rejects.toMatchObject({ code: 'fleet-engine-away' })
    await expect(laptop.open('gpu')).rejects.toMatchObject({ code: 'fleet-may-not', message: 'It lends nothing.' })
  })
})
