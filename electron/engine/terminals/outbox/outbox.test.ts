import { describe, expect, it } from 'vitest'
import type { TypeControl, TypeResult } from '../types.ts'
import { settle } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, begin, holds, open, states, turn } = b

describe('the way of a followup', () => {
  it('queued, typed after the settle time, submitted, confirmed by the request that carries it', async () => {
    const entry = await add('go on', 'stopMessage')
    expect(entry).toMatchObject({ state: 'queued', revision: 0, round: 1 })
    await settle(b.bench.clock)
    expect(holds()).toEqual(['settling'])
    await b.bench.clock.advance(b.bench.settings.settleMs - 1)
    expect(b.bench.target().typed).toEqual([])
    await b.bench.clock.advance(1)
    expect(b.bench.target().typed).toEqual([{ entryId: entry.id, text: 'go on', client: 'codex', ongoing: true }])
    expect(states()).toEqual(['submitted'])
    await turn('go on')
    expect(states()).toEqual(['confirmed'])
    expect(b.bench.story()).toEqual(['queued', 'typed', 'submitted', 'confirmed'])
    expect(b.news).toEqual(['submitted go on', 'confirmed go on', 'main turn ours'])
  })

  it('is on disk as typing before anything is typed, and as submitted afterwards', async () => {
    const seen: string[] = []
    b.bench.target().answer = () => {
      seen.push(b.bench.disk.files.get('outbox/tmux-main.json') ?? '')
      return { kind: 'submitted', extraEnter: true }
    }
    await add('go on')
    await afterSettle()
    expect(seen.map((s) => JSON.parse(s).entries[0].phase.state)).toEqual(['typing'])
    expect(JSON.parse(b.bench.disk.files.get('outbox/tmux-main.json') ?? '').entries[0].phase).toMatchObject({
      state: 'submitted',
      extraEnter: true,
    })
  })

  it('is made safe before it is kept, and once more for a terminal without bracketed paste', async () => {
    await open({
      safeText: (text, how) => {
        const safe = text.replaceAll('\u001b', '')
        return how.bracketedPaste ? safe : safe.replaceAll('\n', ' ')
      },
    })
    await turn('hello')
    b.bench.target().reading = { kind: 'ready', bracketedPaste: false }
    expect((await add('one\n\u001btwo')).text).toBe('one\ntwo')
    await afterSettle()
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['one two'])
    await turn('one two')
    expect(states()).toEqual(['confirmed'])
  })

  it('is refused when nothing is left that could be typed', async () => {
    await expect(add(' \n ')).rejects.toMatchObject({ code: 'empty-text' })
    expect(b.outbox.list()).toEqual([])
  })

  it('goes one at a time: the next waits for the receipt', async () => {
    const first = await add('one')
    await add('two')
    await afterSettle()
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['one'])
    expect(b.outbox.list()[1]?.hold).toEqual({ code: 'behind', entryId: first.id })
    await turn('one')
    await afterSettle()
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['one', 'two'])
  })

  it('may be proved by its request before the terminal answers', async () => {
    let answer: (result: TypeResult) => void = () => {}
    let control: TypeControl | null = null
    b.bench.target().answer = (_, c) => {
      control = c
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['typing'])
    const started = begin('go on')
    expect(control).toMatchObject({ requestArrived: { aborted: true }, stop: { aborted: false } })
    await started
    expect(states()).toEqual(['confirmed'])
    answer({ kind: 'submitted', extraEnter: false })
    await settle(b.bench.clock)
    expect(states()).toEqual(['confirmed'])
    expect(b.news.filter((n) => n.startsWith('submitted'))).toHaveLength(1)
  })
})

describe('an empty queue', () => {
  it('polls nothing, holds no timer and watches no terminal', async () => {
    expect(b.bench.clock.pending()).toBe(0)
    await add('go on')
    await afterSettle()
    await turn('go on')
    await settle(b.bench.clock)
    expect(b.bench.clock.pending()).toBe(0)
    expect(b.bench.target().listeners).toBe(0)
    const { reads } = b.bench.target()
    b.bench.target().change()
    await b.bench.clock.advance(3_600_000)
    expect(b.bench.target().reads).toBe(reads)
  })
})

describe('at most one', () => {
  it.each(['stopMessage', 'continue_execution'] as const)(
    'followup that keeps the agent going is under way: %s is refused',
    async (source) => {
      const first = await add('go on', 'stopMessage')
      const again = () => b.outbox.add({ sessionId: 's1', text: 'more', source })
      await expect(again()).rejects.toMatchObject({ code: 'entry-pending', details: { entryId: first.id } })
      await afterSettle()
      await expect(again()).rejects.toMatchObject({ code: 'entry-pending' })
      await turn('go on')
      await expect(again()).resolves.toMatchObject({ state: 'queued' })
    },
  )
})

describe('what comes up while the entry is being written down', () => {
  const whileWriting = (act: () => void) => {
    let done = false
    b.bench.disk.fate = () => {
      if (!done && b.outbox.list().some((e) => e.state === 'queued')) {
        done = true
        act()
      }
      return 'ok'
    }
  }
  it('a pause: nothing is typed', async () => {
    await add('go on')
    whileWriting(() => {
      void b.outbox.pause({ code: 'by-user' })
    })
    await b.bench.clock.advance(60_000)
    expect(b.bench.target().typed).toEqual([])
    expect(b.outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'paused' }, typedAt: null })
  })
  it('a request: nothing is typed, and the request is not taken for its proof', async () => {
    await add('go on', 'user')
    let request = ''
    whileWriting(() => {
      void begin('something else').then((id) => {
        request = id
      })
    })
    await b.bench.clock.advance(60_000)
    expect(b.bench.target().typed).toEqual([])
    expect(holds()).toEqual(['response-running'])
    b.outbox.requestEnded(request)
    await afterSettle()
    expect(b.bench.target().typed).toHaveLength(1)
  })
})

describe('closing', () => {
  it('waits for what is being typed, and begins nothing new', async () => {
    let answer: (result: TypeResult) => void = () => {}
    b.bench.target().answer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await add('one')
    await add('two')
    await afterSettle()
    const closing = b.bench.outboxes.close()
    answer({ kind: 'submitted', extraEnter: false })
    await closing
    await b.bench.clock.advance(600_000)
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['one'])
    expect(
      JSON.parse(b.bench.disk.files.get('outbox/tmux-main.json') ?? '').entries.map(
        (e: { phase: { state: string } }) => e.phase.state,
      ),
    ).toEqual(['submitted', 'queued'])
    expect(b.bench.clock.pending()).toBe(0)
  })
})
