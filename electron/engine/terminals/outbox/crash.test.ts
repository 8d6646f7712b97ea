import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../shared/words.ts'
import type { OutboxListener } from './listener.ts'
import type { Outbox } from './outbox.ts'
import { createBench, settle, silentListener, T, type Bench, type BenchOptions } from './testing/bench.ts'
import type { Fate } from './testing/memory-store.ts'

const U: Scope = 'tmux:other:%3'

async function engine(
  options: BenchOptions = {},
  listener: Partial<OutboxListener> = {},
): Promise<{ bench: Bench; outbox: Outbox }> {
  const bench = createBench(options)
  await bench.start(() => ({ ...silentListener, ...listener }))
  return { bench, outbox: await bench.outboxes.of(T) }
}
/** The next engine on the same disk and terminals, after the last one died. */
const again = (bench: Bench, listener: Partial<OutboxListener> = {}) => engine(bench.kill(), listener)
let requests = 0
async function turn(outbox: Outbox, text: string, sessionId = 's1'): Promise<void> {
  const requestId = `r${++requests}`
  await outbox.requestStarted({ requestId, sessionId, kind: 'turn', lastUserTexts: [text], hasNewMainTurn: true })
  outbox.requestEnded(requestId)
}
const add = (outbox: Outbox, text = 'go on') =>
  outbox.add({ sessionId: 's1', text, source: 'stopMessage', round: 1, group: 'g' })
const nth = (n: number, fate: Fate) => {
  let i = 0
  return () => (++i === n ? fate : 'ok')
}
const states = (outbox: Outbox) => outbox.list().map((e) => e.state)

describe('a start after a crash', () => {
  it('keeps what is queued, and types it', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    await add(first.outbox)
    const { bench, outbox } = await again(first.bench)
    expect(states(outbox)).toEqual(['queued'])
    await bench.clock.advance(1_000)
    expect(bench.target().typed).toHaveLength(1)
  })

  it('never types again what it found being typed, and says so', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    first.bench.target().answer = () => new Promise(() => {})
    await add(first.outbox)
    await first.bench.clock.advance(1_000)
    const told: string[] = []
    const { bench, outbox } = await again(first.bench, {
      async unconfirmed(e) {
        told.push(e.text)
      },
    })
    // it is not there any more
    bench.target().answer = () => ({ kind: 'removed' })
    await bench.clock.advance(bench.settings.settleMs + bench.settings.sentMs)
    expect(states(outbox)).toEqual(['unknown'])
    await bench.clock.advance(600_000)
    expect(bench.target().typed).toHaveLength(1)
    expect(told).toEqual(['go on'])
    await turn(outbox, 'go on')
    expect(states(outbox)).toEqual(['confirmed'])
  })

  it('presses Enter on the text that it finds standing in the composer, and types nothing', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    first.bench.target().answer = () => new Promise(() => {})
    await add(first.outbox)
    await first.bench.clock.advance(1_000)
    const target = first.bench.target()
    target.reading = { kind: 'composer-holds', text: 'go on' }
    target.answer = () => ({ kind: 'submitted', extraEnter: false })
    const { bench, outbox } = await again(first.bench)
    await bench.clock.advance(bench.settings.settleMs)
    expect(states(outbox)).toEqual(['submitted'])
    expect([target.typed.length, target.enters.length]).toEqual([1, 1])
  })

  it('does not wait anew, start after start, for a text that went through while an engine died', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    first.bench.target().answer = () => new Promise(() => {})
    await add(first.outbox)
    await first.outbox.add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await first.bench.clock.advance(1_000)
    const target = first.bench.target()
    let last = await again(first.bench)
    await turn(last.outbox, 'go on')
    target.answer = () => ({ kind: 'removed' })
    for (let starts = 0; starts < 3; starts++) {
      await last.bench.clock.advance(1_200)
      last = await again(last.bench)
    }
    await last.bench.clock.advance(last.bench.settings.settleMs)
    expect(target.typed.map(({ text }) => text)).toEqual(['go on', 'by hand'])
  })

  it('knows a text that nobody wanted any more by its request, where its engine died behind Enter', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    first.bench.target().answer = () => new Promise(() => {})
    await add(first.outbox)
    await first.bench.clock.advance(1_000)
    const { outbox } = await again(first.bench)
    // the agent repeats its earlier request
    await turn(outbox, 'and something of a person')
    expect(states(outbox)).toEqual(['superseded'])
    await turn(outbox, 'go on')
    expect(states(outbox)).toEqual(['confirmed'])
  })

  it('asks once about a lost followup of a person, not at every start', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    first.bench.target().answer = () => new Promise(() => {})
    await first.outbox.add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await first.bench.clock.advance(1_000)
    const told: string[] = []
    const listener = {
      async unconfirmed(e: { text: string }) {
        told.push(e.text)
      },
    }
    const second = await again(first.bench, listener)
    second.bench.target().answer = () => ({ kind: 'removed' })
    await second.bench.clock.advance(600_000)
    const third = await again(second.bench, listener)
    await third.bench.clock.advance(600_000)
    expect(told).toEqual(['by hand'])
  })

  it('lets a submitted entry wait for its receipt, a minute anew', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    await add(first.outbox)
    await first.bench.clock.advance(59_000)
    const { bench, outbox } = await again(first.bench)
    await bench.clock.advance(59_000)
    expect(states(outbox)).toEqual(['submitted'])
    await turn(outbox, 'go on')
    expect(states(outbox)).toEqual(['confirmed'])
  })

  it('knows that a text stands in the composer', async () => {
    const first = await engine()
    await turn(first.outbox, 'hello')
    const target = first.bench.target()
    target.answer = () => {
      target.reading = { kind: 'hold', reason: { code: 'dialog-open' } }
      return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
    }
    await add(first.outbox)
    await first.bench.clock.advance(1_000)
    target.reading = { kind: 'composer-holds', text: 'go on' }
    target.answer = () => ({ kind: 'submitted', extraEnter: false })
    const { bench, outbox } = await again(first.bench)
    await bench.clock.advance(10_000)
    expect(states(outbox)).toEqual(['submitted'])
    expect([target.typed.length, target.enters.length]).toEqual([1, 1])
  })
})

describe('a disk that refuses', () => {
  it.each<Fate>(['fail', 'fail-after'])(
    'an addition (%s): the caller hears of it, and nothing of it is there',
    async (fate) => {
      const first = await engine()
      await turn(first.outbox, 'hello')
      first.bench.disk.fate = nth(1, fate)
      await expect(add(first.outbox)).rejects.toMatchObject({ code: 'store-failed' })
      expect(first.outbox.list()).toEqual([])
      expect(first.bench.events.filter((e) => e.type === 'store-problem')).toHaveLength(1)
      // what may have reached the disk all the same is taken back
      await first.bench.clock.advance(first.bench.settings.writeAgainMs)
      expect(first.bench.target().typed).toEqual([])
      const { outbox } = await again(first.bench)
      expect(outbox.list()).toEqual([])
    },
  )

  it('the state of typing: nothing is typed, held with the reason, and it goes on when the disk does', async () => {
    const { bench, outbox } = await engine()
    await turn(outbox, 'hello')
    await add(outbox)
    bench.disk.fate = () => 'fail'
    await bench.clock.advance(60_000)
    expect(outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'store-failed' } })
    expect(bench.events.some((e) => e.type === 'held' && e.reason.code === 'store-failed')).toBe(true)
    expect(bench.target().typed).toEqual([])
    bench.disk.fate = () => 'ok'
    await bench.clock.advance(bench.settings.writeAgainMs)
    expect(states(outbox)).toEqual(['submitted'])
  })

  it('what came of typing: true at once, written later, told once', async () => {
    const { bench, outbox } = await engine()
    await turn(outbox, 'hello')
    await add(outbox)
    bench.target().answer = () => {
      bench.disk.fate = () => 'fail'
      return { kind: 'submitted', extraEnter: false }
    }
    await bench.clock.advance(20_000)
    expect(states(outbox)).toEqual(['submitted'])
    const onDisk = () => JSON.parse(bench.disk.files.get('outbox/tmux-main.json') ?? '').entries[0].phase.state
    expect(onDisk()).toBe('typing')
    bench.disk.fate = () => 'ok'
    await bench.clock.advance(bench.settings.writeAgainMs)
    expect(onDisk()).toBe('submitted')
    expect(bench.events.filter((e) => e.type === 'store-problem')).toHaveLength(1)
    expect(bench.target().typed).toHaveLength(1)
  })

  it('a pause: in force all the same, and the person hears that it is not saved', async () => {
    const { bench, outbox } = await engine()
    await turn(outbox, 'hello')
    await add(outbox)
    bench.disk.fate = () => 'fail'
    await expect(outbox.pause({ code: 'by-user' })).rejects.toMatchObject({ code: 'store-failed' })
    expect(outbox.paused()).toEqual({ code: 'by-user' })
    bench.disk.fate = () => 'ok'
    await bench.clock.advance(600_000)
    expect(bench.target().typed).toEqual([])
    expect((await again(bench)).outbox.paused()).toEqual({ code: 'by-user' })
  })
})

describe('rebinding', () => {
  /** one of each: confirmed, submitted, queued by a person */
  const filled = async () => {
    const first = await engine({ targets: new Map() })
    first.bench.target(T)
    first.bench.target(U)
    await turn(first.outbox, 'hello')
    await add(first.outbox, 'one')
    await first.bench.clock.advance(1_000)
    await turn(first.outbox, 'one')
    await add(first.outbox, 'two')
    await first.bench.clock.advance(1_000)
    await first.outbox.add({ sessionId: 's1', text: 'by hand', source: 'user' })
    expect(states(first.outbox)).toEqual(['confirmed', 'submitted', 'queued'])
    return first
  }
  const moved = async (bench: Bench) => {
    expect(bench.outboxes.peek(T)).toBeNull()
    expect(bench.disk.files.has('outbox/tmux-main.json')).toBe(false)
    const to = await bench.outboxes.of(U)
    expect(to.list().map((e) => [e.text, e.state, e.scope])).toEqual([
      ['one', 'confirmed', U],
      ['two', 'unknown', U],
      ['by hand', 'queued', U],
    ])
    return to
  }

  it('moves what is queued; what was typed or submitted becomes unknown; the old file goes', async () => {
    const { bench } = await filled()
    await bench.outboxes.rebind(T, U)
    const to = await moved(bench)
    await bench.clock.advance(10_000)
    expect(to.list()[2]?.hold).toEqual({ code: 'other-conversation' })
    await turn(to, 'resumed', 's1')
    await bench.clock.advance(10_000)
    expect(bench.target(U).typed.map((o) => o.text)).toEqual(['by hand'])
    expect(bench.target(T).typed.map((o) => o.text)).toEqual(['one', 'two'])
  })

  it('keeps the pause of either, and one followup that keeps the agent going', async () => {
    const { bench, outbox } = await engine({ targets: new Map() })
    const to = await bench.outboxes.of(U)
    await outbox.pause({ code: 'by-user' })
    await add(outbox, 'from the old')
    await add(to, 'from the new')
    await bench.outboxes.rebind(T, U)
    expect(to.paused()).toEqual({ code: 'by-user' })
    expect(to.list().map((e) => [e.text, e.state])).toEqual([
      ['from the old', 'superseded'],
      ['from the new', 'queued'],
    ])
  })

  it('stops what is being typed there', async () => {
    const { bench, outbox } = await engine({ targets: new Map() })
    bench.target(U)
    await turn(outbox, 'hello')
    bench.target(T).answer = (_, { stop }) =>
      new Promise((resolve) => {
        stop.addEventListener('abort', () => resolve({ kind: 'enter-owed', reason: { code: 'draft' } }))
      })
    await add(outbox)
    await bench.clock.advance(1_000)
    await bench.outboxes.rebind(T, U)
    await settle(bench.clock)
    expect(states(await bench.outboxes.of(U))).toEqual(['unknown'])
  })

  it.each<[number, Fate]>(
    [1, 2, 3].flatMap((n) => (['crash', 'crash-after'] as const).map((fate): [number, Fate] => [n, fate])),
  )('ends in the same when the engine dies at write %i (%s), whether or not it is asked again', async (n, fate) => {
    for (const repeat of [false, true]) {
      const first = await filled()
      first.bench.disk.fate = nth(n, fate)
      void first.bench.outboxes.rebind(T, U)
      await settle(first.bench.clock)
      expect(first.bench.store.crashed).toBe(true)
      const { bench } = await engineAfter(first.bench)
      const unbegun = n === 1 && fate === 'crash'
      if (repeat || unbegun) await bench.outboxes.rebind(T, U)
      await moved(bench)
      bench.outboxes.dispose()
    }
  })

  it('goes on trying when the disk refuses half-way', async () => {
    const { bench } = await filled()
    bench.disk.fate = nth(2, 'fail')
    await expect(bench.outboxes.rebind(T, U)).rejects.toMatchObject({ code: 'store-failed' })
    await bench.clock.advance(bench.settings.writeAgainMs)
    await moved(bench)
  })

  it('is finished later when the disk refuses at the start; the old terminal gets nothing meanwhile', async () => {
    const first = await filled()
    first.bench.disk.fate = nth(1, 'crash-after')
    void first.bench.outboxes.rebind(T, U)
    await settle(first.bench.clock)
    const bench = createBench(first.bench.kill())
    bench.disk.fate = () => 'fail'
    await bench.start()
    await bench.outboxes
      .peek(T)
      ?.requestStarted({ requestId: 'r', sessionId: 's1', kind: 'turn', lastUserTexts: ['x'], hasNewMainTurn: true })
    bench.outboxes.peek(T)?.requestEnded('r')
    const typed = bench.target(T).typed.length
    await bench.clock.advance(3_000)
    bench.disk.fate = () => 'ok'
    await bench.clock.advance(600_000)
    expect(bench.target(T).typed).toHaveLength(typed)
    await moved(bench)
    bench.outboxes.dispose()
  })

  it('of a scope that never had anything does nothing', async () => {
    const bench = createBench()
    bench.outboxes.use(() => silentListener)
    await bench.outboxes.load()
    await bench.outboxes.rebind(U, T)
    await bench.outboxes.rebind(T, T)
    expect(bench.disk.writes).toBe(0)
  })

  /** Without opening the old scope, which a bare test would do. */
  const engineAfter = async (dead: Bench) => {
    const bench = createBench(dead.kill())
    await bench.start()
    return { bench }
  }
})

describe('the files', () => {
  it('that cannot be read stop only their own terminal', async () => {
    const first = await engine({ targets: new Map() })
    await turn(first.outbox, 'hello')
    const file = first.bench.disk.files.get('outbox/tmux-main.json') ?? ''
    first.bench.disk.files.set('outbox/tmux-bad.json', '{"entries": 7}')
    first.bench.disk.files.set('outbox/tmux-other.json', file.replaceAll('tmux:main', 'tmux:other'))
    const { bench } = await again(first.bench)
    expect(bench.outboxes.all().map((o) => o.scope)).toEqual([T, 'tmux:other'])
    expect(bench.events).toMatchObject([{ type: 'store-problem', file: 'outbox/tmux-bad.json' }])
  })
  it('of terminals nobody asks for any more go at start, or when they are forgotten', async () => {
    const { bench, outbox } = await engine()
    await outbox.pause({ code: 'by-user' })
    await outbox.resume()
    expect(bench.disk.files.has('outbox/tmux-main.json')).toBe(true)
    await again(bench)
    expect(bench.disk.files.has('outbox/tmux-main.json')).toBe(false)
    const next = await engine({ disk: bench.disk })
    await turn(next.outbox, 'hello')
    expect(bench.disk.files.has('outbox/tmux-main.json')).toBe(true)
    await next.bench.outboxes.forget(T)
    expect(bench.disk.files.has('outbox/tmux-main.json')).toBe(false)
    expect(next.bench.outboxes.peek(T)).toBeNull()
  })
})
