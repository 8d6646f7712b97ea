import { describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createNeedsWatch, type Asking } from './needs-watch.ts'
import { SIGNAL_MS } from './left-signal.ts'
import type { TerminalReading, TypingTarget } from './types.ts'

function scene() {
  const clock = virtualClock()
  const seen: (string | null)[] = []
  const pushed: (Asking | null)[] = []
  const rests: string[] = []
  let gone = 0
  let reading: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
  let reads = 0
  const target: TypingTarget = {
    terminalId: 't',
    read: () => {
      reads++
      return Promise.resolve(reading)
    },
    type: () => Promise.reject(new Error('must not type')),
    pressOwedEnter: () => Promise.reject(new Error('must not type')),
    takeOut: () => Promise.reject(new Error('must not type')),
    onChange: () => ({ dispose() {} }),
  }
  const watch = createNeedsWatch({
    clock,
    log: silentLog,
    findTarget: () => target,
    onChange(_id, asking, isNew) {
      if (isNew || asking === null) seen.push(asking?.what ?? null)
      if (asking === null && isNew) gone++
      pushed.push(asking)
    },
    onRest: (terminalId) => rests.push(terminalId),
  })
  return {
    clock,
    seen,
    pushed,
    rests,
    watch,
    show: (r: TerminalReading) => {
      reading = r
    },
    reads: () => reads,
    gone: () => gone,
  }
}
const dialog: TerminalReading = { kind: 'hold', reason: { code: 'dialog-open', what: 'permission to run a command' } }

describe('needs watch', () => {
  it('tells once when a dialog opens and once when the next request closes the matter', async () => {
    const s = scene()
    s.watch.begin('t')
    await s.clock.advance(3_000)
    expect(s.seen).toEqual([])
    s.show(dialog)
    await s.clock.advance(10_000)
    expect(s.seen).toEqual(['permission to run a command'])
    expect(s.watch.asks('t')).toEqual({ what: 'permission to run a command', asked: null, since: expect.any(Number) })
    s.watch.end('t')
    expect(s.seen).toEqual(['permission to run a command', null])
  })

  it('tells that the screen shows no question any more, and not where nobody looks any more', async () => {
    const s = scene()
    s.show(dialog)
    s.watch.begin('t')
    await s.clock.advance(3_000)
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.clock.advance(3_000)
    expect(s.gone()).toBe(1)
    s.show(dialog)
    await s.clock.advance(30_000)
    expect(s.watch.asks('t')).not.toBeNull()
    s.watch.end('t')
    expect(s.gone()).toBe(1)
  })

  it('tells that the agent came to rest where its turn was broken off in a dialog', async () => {
    const s = scene()
    s.show(dialog)
    s.watch.begin('t')
    await s.clock.advance(3_000)
    s.show({ kind: 'ready', bracketedPaste: true })
    await s.clock.advance(SIGNAL_MS)
    // not yet: its next request may only be late
    expect(s.rests).toEqual([])
    await s.clock.advance(SIGNAL_MS)
    expect(s.rests).toEqual(['t'])
    expect(s.seen).toEqual(['permission to run a command', null])
  })

  it('tells it too where only its title still shows the dialog', async () => {
    const s = scene()
    s.show({ ...dialog, screenAlone: { kind: 'ready', bracketedPaste: true } })
    s.watch.begin('t')
    await s.clock.advance(3_000)
    expect(s.watch.asks('t')?.what).toBe('permission to run a command')
    await s.clock.advance(2 * SIGNAL_MS)
    expect(s.rests).toEqual(['t'])
    expect(s.watch.asks('t')).toBeNull()
  })

  it('never tells it of one that runs a tool, or whose next request came', async () => {
    const s = scene()
    s.watch.begin('t')
    await s.clock.advance(60_000)
    s.show({ kind: 'ready', bracketedPaste: true })
    await s.clock.advance(SIGNAL_MS)
    s.watch.begin('t')
    await s.clock.advance(SIGNAL_MS)
    expect(s.rests).toEqual([])
  })

  it('sees a dialog that was dismissed without a request', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show(dialog)
    await s.clock.advance(2_000)
    s.show({ kind: 'ready', bracketedPaste: true })
    await s.clock.advance(2_000)
    expect(s.seen).toEqual(['permission to run a command', null])
  })

  it('sees what an agent asks at its start, until it waits for its first message', async () => {
    const s = scene()
    s.watch.beginStart('t')
    s.show(dialog)
    await s.clock.advance(20 * 60_000)
    expect(s.seen).toEqual(['permission to run a command'])
    s.watch.beginStart('t')
    expect(s.watch.asks('t')).not.toBeNull()
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.clock.advance(10_000)
    expect(s.seen).toEqual(['permission to run a command', null])
    s.show({ kind: 'ready', bracketedPaste: true })
    await s.clock.advance(10_000)
    const looks = s.reads()
    s.show(dialog)
    await s.clock.advance(60_000)
    expect(s.reads()).toBe(looks)
    expect(s.clock.pending()).toBe(0)
  })

  it('tells a question once whose lines end elsewhere when the terminal gets another size', async () => {
    const s = scene()
    s.watch.beginStart('t')
    const asks = (question: string, about: string, first = 'No, exit'): TerminalReading => ({
      kind: 'hold',
      reason: { code: 'dialog-open', what: 'dialog' },
      asked: { question, about, choices: [first, 'Yes'].map((label) => ({ label, key: null })) },
    })
    for (const shown of [
      asks(
        'Accessing workspace:',
        '/home/me/a\nQuick safety check: Is this a project you created? (Like\nyour own code)',
      ),
      asks('Quick safety check: Is this a project you created?', '(Like your own\ncode)'),
      asks(
        'Accessing workspace:',
        '/home/me/a\nQuick safety check: Is this a project you created? (Like your own code)',
      ),
    ]) {
      s.show(shown)
      await s.clock.advance(3_000)
    }
    expect(s.seen).toEqual(['permission'])
    s.show(asks('Send what happened?', 'Quick safety check'))
    await s.clock.advance(3_000)
    s.show(asks('Send what happened?', 'Quick safety check', 'Never'))
    await s.clock.advance(3_000)
    expect(s.seen).toEqual(['permission', 'permission', 'permission'])
  })

  it('keeps a question while the screen of another size is drawn, and says once that it is gone', async () => {
    const s = scene()
    s.watch.beginStart('t')
    s.show(dialog)
    await s.clock.advance(3_000)
    const halfDrawn: TerminalReading[] = [
      { kind: 'hold', reason: { code: 'agent-busy' } },
      { kind: 'hold', reason: { code: 'dialog-open', what: 'question: Yes?' } },
    ]
    for (const shown of halfDrawn) {
      s.show(shown)
      await s.watch.sized('t')
      expect(s.watch.asks('t')).not.toBeNull()
      await s.clock.advance(1_600)
      s.show(dialog)
      await s.clock.advance(3_000)
    }
    expect(s.seen).toEqual(['permission to run a command'])
    // answered from the card: what is done there counts at once
    await s.watch.sized('t')
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.watch.check('t')
    expect(s.seen).toEqual(['permission to run a command', null])
    // answered in the terminal
    s.show(dialog)
    await s.clock.advance(3_000)
    await s.watch.sized('t')
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.clock.advance(4_500)
    expect(s.seen.slice(2)).toEqual(['permission to run a command', null])
  })

  it('gives up on an agent that never shows that it has started', async () => {
    const s = scene()
    s.watch.beginStart('t')
    await s.clock.advance(6 * 60_000)
    expect(s.clock.pending()).toBe(0)
    expect(s.reads()).toBeGreaterThan(20)
  })

  it('looks seldom at a tool that takes long, and never after the end', async () => {
    const s = scene()
    s.watch.begin('t')
    await s.clock.advance(10 * 60_000)
    const looks = s.reads()
    expect(looks).toBeLessThan(130)
    s.watch.end('t')
    await s.clock.advance(60_000)
    expect(s.reads()).toBe(looks)
    expect(s.clock.pending()).toBe(0)
  })

  const asks = (about: string, question = 'Would you like to run it?', at?: number): TerminalReading => ({
    kind: 'hold',
    reason: { code: 'dialog-open', what: 'permission' },
    asked: {
      question,
      about,
      choices: [
        { label: 'Yes', key: '1' },
        { label: 'No', key: '2' },
      ],
      ...(at !== undefined && { pointer: { at, moves: 'down' as const } }),
    },
  })

  it('tells of the dialog that follows on one, though it asks for the same in short', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show(asks('one'))
    await s.clock.advance(2_000)
    s.show(asks('two', 'And always?'))
    await s.clock.advance(2_000)
    expect(s.seen).toEqual(['permission', 'permission'])
    expect(s.watch.asks('t')?.asked?.question).toBe('And always?')
  })

  it('says since when it asks, whatever changes of the same question', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show(asks('one'))
    await s.clock.advance(2_000)
    const since = s.watch.asks('t')?.since
    s.show(asks('one, and the rest of it'))
    await s.clock.advance(2_000)
    expect([s.watch.asks('t')?.asked?.about, s.watch.asks('t')?.since]).toEqual(['one, and the rest of it', since])
    s.show(asks('two', 'And always?'))
    await s.clock.advance(2_000)
    expect(s.watch.asks('t')?.since).toBeGreaterThan(since ?? 0)
  })

  it('pushes what changed of a question without telling of it again, and not which choice is chosen', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show(asks('one'))
    await s.clock.advance(2_000)
    s.show(asks('one, and the rest of it', undefined, 0))
    await s.clock.advance(2_000)
    s.show(asks('one, and the rest of it', undefined, 1))
    await s.clock.advance(2_000)
    expect(s.seen).toEqual(['permission'])
    expect(s.pushed.map((asking) => asking?.asked?.about)).toEqual(['one', 'one, and the rest of it'])
    expect(s.watch.asks('t')?.asked?.pointer?.at).toBe(1)
  })

  it('looks for a question all the time once the agent’s hook says that it asks, for a while', async () => {
    const s = scene()
    s.watch.begin('t')
    s.watch.told('t')
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.clock.advance(300)
    expect(s.seen).toEqual([])
    s.show(dialog)
    await s.clock.advance(50)
    expect(s.seen).toHaveLength(1)
  })

  it('looks at once where the hook was faster than the end of its answer', async () => {
    const s = scene()
    s.watch.told('t')
    s.show(dialog)
    await s.clock.advance(100)
    s.watch.begin('t')
    await s.clock.advance(0)
    expect(s.seen).toHaveLength(1)
  })

  it('believes no hook that its screen does not agree with', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    s.watch.told('t')
    await s.clock.advance(60_000)
    expect(s.seen).toEqual([])
    expect(s.watch.asks('t')).toBeNull()
  })

  it('looks at once where something was done, and goes on as before', async () => {
    const s = scene()
    s.watch.begin('t')
    s.show(dialog)
    await s.clock.advance(2_000)
    s.show({ kind: 'hold', reason: { code: 'agent-busy' } })
    await s.watch.check('t')
    expect(s.seen.at(-1)).toBeNull()
    expect(s.clock.pending()).toBe(1)
    await s.watch.check('nobody')
    expect(s.clock.pending()).toBe(1)
  })
})
