import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { OnwardError } from '../base/errors.ts'
import type { FairShare } from '../base/work.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { delivery, gather } from './delivery.ts'

const broke = new OnwardError('upstream-broke-off', 'It broke off.')
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A reader that wants a pause after each piece for which `pauseAt` is true. */
function reader(
  pauseAt: (piece: number) => boolean,
  share: FairShare = { hasTime: () => true, wait: () => undefined },
) {
  const told: string[] = []
  const source = {
    held: false,
    hold() {
      this.held = true
    },
    read() {
      this.held = false
    },
  }
  let piece = 0
  const d = delivery(
    {
      onHead: (status) => {
        told.push(`head ${status}`)
      },
      onData(chunk) {
        told.push(chunk.toString())
        return !pauseAt(piece++)
      },
      onEnd: () => {
        told.push('end')
      },
      onError: (error) => {
        told.push(error.code)
      },
    },
    source,
    share,
  )
  return { d, told, source }
}

describe('an answer at its reader’s pace', () => {
  it('holds the source while the reader wants a pause, and gives what came too much afterwards, in order', async () => {
    const { d, told, source } = reader((piece) => piece === 0)
    d.head(200, {})
    for (const piece of ['a', 'b', 'c']) d.data(Buffer.from(piece))
    expect([told, source.held]).toEqual([['head 200', 'a'], true])
    d.resume()
    await tick()
    expect([told, source.held]).toEqual([['head 200', 'a', 'b', 'c'], false])
  })

  it('gives others their turn between pieces of what came at once, however it ends', async () => {
    for (const ending of ['end', 'upstream-broke-off', 'upstream-aborted'] as const) {
      const turns: (() => void)[] = []
      let time = 1
      const { d, told, source } = reader(() => false, { hasTime: () => time-- > 0, wait: (then) => turns.push(then) })
      const next = () => {
        time = 1
        turns.shift()?.()
      }
      d.data(Buffer.from('a'.repeat(32 * 1024) + 'b'))
      expect([told.map((text) => text[0]), source.held]).toEqual([['a'], true])
      d.data(Buffer.from('c'))
      d.resume()
      await tick()
      expect(told).toHaveLength(1)
      if (ending === 'upstream-aborted') d.cut(new OnwardError(ending, 'Left.'))
      else d.end(ending === 'end' ? null : broke)
      await tick()
      const rest = ending === 'upstream-aborted' ? [] : ['b', 'c']
      expect(told.slice(1)).toEqual(ending === 'upstream-aborted' ? [ending] : [])
      while (turns.length > 0) next()
      expect(told.slice(1)).toEqual([...rest, ending])
    }
  })

  it('tells the end after what waits, and frees the source at once', async () => {
    const { d, told, source } = reader((piece) => piece === 0)
    d.data(Buffer.from('a'))
    d.data(Buffer.from('b'))
    d.end(null)
    expect([told, source.held, d.over]).toEqual([['a'], false, true])
    d.resume()
    await tick()
    expect(told).toEqual(['a', 'b', 'end'])
  })

  it('a break-off waits for what came before it; a cut does not', async () => {
    const waits = reader((piece) => piece === 0)
    waits.d.data(Buffer.from('a'))
    waits.d.data(Buffer.from('b'))
    waits.d.end(broke)
    waits.d.resume()
    await tick()
    expect(waits.told).toEqual(['a', 'b', 'upstream-broke-off'])
    const cut = reader((piece) => piece === 0)
    cut.d.data(Buffer.from('a'))
    cut.d.data(Buffer.from('b'))
    cut.d.cut(broke)
    cut.d.cut(new OnwardError('upstream-aborted', 'Left.'))
    cut.d.resume()
    await tick()
    expect(cut.told).toEqual(['a', 'upstream-broke-off'])
  })

  it('whatever happens in whatever order: pieces in order, nothing lost without a cut, one end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('data', 'resume', 'tick', 'end', 'break', 'cut'), { maxLength: 40 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        async (steps, pauses) => {
          const { d, told, source } = reader((piece) => pauses[piece % pauses.length] ?? false)
          let given = 0
          let accepted = 0
          for (const step of steps) {
            if (step === 'data') {
              if (!d.over) accepted = given + 1
              d.data(Buffer.from(String(given++)))
            } else if (step === 'resume') d.resume()
            else if (step === 'tick') await tick()
            else if (step === 'end') d.end(null)
            else if (step === 'break') d.end(broke)
            else d.cut(broke)
            if (d.over && !steps.includes('cut')) expect(source.held).toBe(false)
          }
          for (let i = 0; i < 50; i++) {
            d.resume()
            await tick()
          }
          const pieces = told.filter((line) => /^\d+$/.test(line))
          expect(pieces).toEqual(pieces.map((_piece, i) => String(i)))
          const ends = told.filter((line) => !/^\d+$/.test(line))
          expect(ends.length).toBe(steps.some((step) => step === 'end' || step === 'break' || step === 'cut') ? 1 : 0)
          if (ends.length === 1) expect(told.at(-1)).toBe(ends[0])
          if (!steps.includes('cut')) expect(pieces.length).toBe(accepted)
        },
      ),
      runs(100),
    )
  })
})

function gathered() {
  const clock = virtualClock()
  const told: string[] = []
  const source = { pace: () => told.push('pace'), next: () => told.push('next'), free: () => told.push('free') }
  const pieces = gather(clock, source, (chunk) => told.push(`<${chunk.toString()}>`))
  const comes = (...texts: string[]) => texts.forEach((text) => pieces.data(Buffer.from(text)))
  const now = () => told.splice(0)
  return { clock, pieces, comes, now }
}

describe('pieces of a stream', () => {
  it('go on at once after a silence, all that one read brought together', async () => {
    const { clock, comes, now } = gathered()
    comes('a', 'b')
    await Promise.resolve()
    expect(now()).toEqual(['<ab>'])
    await clock.advance(2)
    comes('c')
    await Promise.resolve()
    expect(now()).toEqual(['<c>'])
  })

  it('that follow closely come as one two milliseconds after the last, and are read one at a time', async () => {
    const { clock, comes, now } = gathered()
    comes('a')
    await clock.advance(1)
    comes('b', 'c')
    comes('d')
    expect(now()).toEqual(['<a>', 'pace'])
    await clock.advance(1)
    expect(now()).toEqual(['<bcd>', 'next'])
    comes('e')
    await clock.advance(2)
    expect(now()).toEqual(['<e>', 'next'])
  })

  it('are read as the socket likes again once they come slowly', async () => {
    const { clock, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    await clock.advance(2)
    expect(now()).toEqual(['<a>', 'pace', '<b>', 'next'])
    await clock.advance(3)
    comes('c')
    await Promise.resolve()
    expect(now()).toEqual(['free', '<c>'])
  })

  it('wait for nothing where they bring much', async () => {
    const { clock, comes, now } = gathered()
    const much = 'm'.repeat(20_000)
    comes('a')
    await Promise.resolve()
    comes(much)
    expect(now()).toEqual(['<a>', `<${much}>`])
    comes('b', much)
    expect(now()).toEqual(['pace', `<b${much}>`, 'next'])
    comes(much)
    await clock.advance(10)
    expect(now()).toEqual([`<${much}>`, 'next'])
  })

  it('that wait go on before the end, and none after it', async () => {
    const { clock, pieces, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    pieces.end()
    expect(now()).toEqual(['<a>', 'pace', 'free', '<b>'])
    await clock.advance(10)
    expect(now()).toEqual([])
  })

  it('that wait are dropped with the answer that nobody wants any more', async () => {
    const { clock, pieces, comes, now } = gathered()
    comes('a')
    await Promise.resolve()
    comes('b')
    pieces.dispose()
    await clock.advance(10)
    expect(now()).toEqual(['<a>', 'pace', 'free'])
  })

  it('of one read are not given after the answer was dropped', async () => {
    const { pieces, comes, now } = gathered()
    comes('a')
    pieces.dispose()
    await Promise.resolve()
    expect(now()).toEqual([])
  })
})
