import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FailReason, HoldReason } from '../../../../shared/events.ts'
import type { TypeControl, TypeResult } from '../types.ts'
import type { EntryNews, OutboxListener } from './listener.ts'
import type { Outbox } from './outbox.ts'
import { createBench, settle, silentListener, T, type Bench, type BenchOptions } from './testing/bench.ts'

let bench: Bench
let outbox: Outbox
let news: string[]
let requests = 0

const listener: OutboxListener = {
  ...silentListener,
  async submitted(e) { news.push(`submitted ${e.text}`) },
  async confirmed(e, late) { news.push(`confirmed ${e.text}${late ? ' late' : ''}`) },
  async failed(e: EntryNews, reason: FailReason) { news.push(`failed ${e.text} ${reason.code}`) },
  async ended(e) { news.push(`${e.state} ${e.text}`) },
  async unconfirmed(e) { news.push(`unconfirmed ${e.text}`) },
  heldLong(e, reason: HoldReason) { news.push(`held long ${e.text} ${reason.code}`) },
  async mainTurn(turn) { news.push(`main turn ${turn.byPerson ? 'by person' : 'ours'}`) },
}

async function open(options: BenchOptions = {}): Promise<void> {
  bench = createBench(options)
  bench.outboxes.use(() => listener)
  await bench.outboxes.load()
  await bench.outboxes.start()
  outbox = await bench.outboxes.of(T)
  news = []
}
/** A main turn with this last user message, up to its end. */
async function turn(text: string, sessionId = 's1'): Promise<void> {
  const requestId = await begin(text, sessionId)
  outbox.requestEnded(requestId)
}
async function begin(text: string, sessionId = 's1', more: Partial<Parameters<Outbox['requestStarted']>[0]> = {}): Promise<string> {
  const requestId = `r${++requests}`
  await outbox.requestStarted({ requestId, sessionId, kind: 'turn', lastUserTexts: [text], hasNewMainTurn: true, ...more })
  return requestId
}
const add = (text: string, source: 'stopMessage' | 'user' | 'clock' = 'user') => outbox.add({ sessionId: 's1', text, source, round: source === 'stopMessage' ? 1 : null })
const states = () => outbox.list().map((e) => e.state)
const holds = () => outbox.list().map((e) => e.hold?.code ?? null)
const afterSettle = () => bench.clock.advance(bench.settings.settleMs)

beforeEach(async () => {
  await open()
  await turn('hello')
  news = []
})
afterEach(() => bench.outboxes.dispose())

describe('the way of a followup', () => {
  it('queued, typed after the settle time, submitted, confirmed by the request that carries it', async () => {
    const entry = await add('go on', 'stopMessage')
    expect(entry).toMatchObject({ state: 'queued', revision: 0, round: 1 })
    await settle(bench.clock)
    expect(holds()).toEqual(['settling'])
    await bench.clock.advance(bench.settings.settleMs - 1)
    expect(bench.target().typed).toEqual([])
    await bench.clock.advance(1)
    expect(bench.target().typed).toEqual([{ entryId: entry.id, text: 'go on', client: 'codex', ongoing: true }])
    expect(states()).toEqual(['submitted'])
    await turn('go on')
    expect(states()).toEqual(['confirmed'])
    expect(bench.story()).toEqual(['queued', 'typed', 'submitted', 'confirmed'])
    expect(news).toEqual(['submitted go on', 'confirmed go on', 'main turn ours'])
  })

  it('is on disk as typing before anything is typed, and as submitted afterwards', async () => {
    const seen: string[] = []
    bench.target().answer = () => { seen.push(bench.disk.files.get('outbox/tmux-main.json') ?? ''); return { kind: 'submitted', extraEnter: true } }
    await add('go on')
    await afterSettle()
    expect(seen.map((s) => JSON.parse(s).entries[0].phase.state)).toEqual(['typing'])
    expect(JSON.parse(bench.disk.files.get('outbox/tmux-main.json') ?? '').entries[0].phase).toMatchObject({ state: 'submitted', extraEnter: true })
  })

  it('is made safe before it is kept, and once more for a terminal without bracketed paste', async () => {
    await open({ safeText: (text, how) => { const safe = text.replaceAll('\u001b', ''); return how.bracketedPaste ? safe : safe.replaceAll('\n', ' ') } })
    await turn('hello')
    bench.target().reading = { kind: 'ready', bracketedPaste: false }
    expect((await add('one\n\u001btwo')).text).toBe('one\ntwo')
    await afterSettle()
    expect(bench.target().typed.map((o) => o.text)).toEqual(['one two'])
    await turn('one two')
    expect(states()).toEqual(['confirmed'])
  })

  it('is refused when nothing is left that could be typed', async () => {
    await expect(add(' \n ')).rejects.toMatchObject({ code: 'empty-text' })
    expect(outbox.list()).toEqual([])
  })

  it('goes one at a time: the next waits for the receipt', async () => {
    const first = await add('one')
    await add('two')
    await afterSettle()
    expect(bench.target().typed.map((o) => o.text)).toEqual(['one'])
    expect(outbox.list()[1]?.hold).toEqual({ code: 'behind', entryId: first.id })
    await turn('one')
    await afterSettle()
    expect(bench.target().typed.map((o) => o.text)).toEqual(['one', 'two'])
  })

  it('may be proved by its request before the terminal answers', async () => {
    let answer: (result: TypeResult) => void = () => {}
    let control: TypeControl | null = null
    bench.target().answer = (_, c) => { control = c; return new Promise((resolve) => { answer = resolve }) }
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['typing'])
    const started = begin('go on')
    expect(control).toMatchObject({ requestArrived: { aborted: true }, stop: { aborted: false } })
    await started
    expect(states()).toEqual(['confirmed'])
    answer({ kind: 'submitted', extraEnter: false })
    await settle(bench.clock)
    expect(states()).toEqual(['confirmed'])
    expect(news.filter((n) => n.startsWith('submitted'))).toHaveLength(1)
  })
})

describe('a hold', () => {
  it('keeps the entry, shows its reason, and looks again when the screen changes', async () => {
    bench.target().reading = { kind: 'hold', reason: { code: 'dialog-open', what: 'rm -rf' } }
    await add('go on')
    await afterSettle()
    expect(outbox.list()[0]?.hold).toEqual({ code: 'dialog-open', what: 'rm -rf' })
    bench.target().reading = { kind: 'ready', bracketedPaste: true }
    bench.target().change()
    await bench.clock.advance(bench.settings.lookPauseMs)
    expect(states()).toEqual(['submitted'])
  })

  it('keeps what belongs to a conversation from one in which nothing was said yet', async () => {
    bench.target().reading = { kind: 'ready', bracketedPaste: true, fresh: true }
    await add('go on')
    await afterSettle()
    expect(outbox.list()[0]?.hold).toEqual({ code: 'other-conversation' })
    expect(bench.target().typed).toEqual([])
    await outbox.cancel(outbox.list()[0]?.id ?? '')
    await outbox.add({ sessionId: null, text: 'hello', source: 'user' })
    await afterSettle()
    expect(bench.target().typed).toMatchObject([{ text: 'hello', ongoing: false }])
  })

  it('looks again after a while, also when nothing announces a change', async () => {
    bench.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await add('go on')
    await afterSettle()
    bench.target().reading = { kind: 'ready', bracketedPaste: true }
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(states()).toEqual(['submitted'])
  })

  it('reads a busy screen only so often', async () => {
    bench.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await add('go on')
    await afterSettle()
    const before = bench.target().reads
    for (let i = 0; i < 100; i++) { bench.target().change(); await bench.clock.advance(10) }
    expect(bench.target().reads - before).toBeLessThanOrEqual(11)
    expect(bench.target().reads - before).toBeGreaterThanOrEqual(9)
  })

  it('waits for the end of the answer, and does not read the terminal meanwhile', async () => {
    const request = await begin('work')
    await add('go on')
    await bench.clock.advance(600_000)
    expect(holds()).toEqual(['response-running'])
    expect(bench.target().reads).toBe(0)
    outbox.requestEnded(request)
    await afterSettle()
    expect(states()).toEqual(['submitted'])
  })

  it.each<[string, HoldReason]>([
    ['a draft of the person', { code: 'draft' }],
    ['an unknown screen', { code: 'screen-unknown' }],
    ['a shell in front', { code: 'shell-in-front', program: 'bash' }],
  ])('by %s types nothing, however long it lasts', async (_, reason) => {
    bench.target().reading = { kind: 'hold', reason }
    await add('go on')
    await bench.clock.advance(3_600_000)
    expect(bench.target().typed).toEqual([])
    expect(news).toEqual([`held long go on ${reason.code}`])
  })

  it('by a text in the composer that is not ours is a draft', async () => {
    bench.target().reading = { kind: 'composer-holds', text: 'half a li' }
    await add('go on')
    await afterSettle()
    expect(holds()).toEqual(['draft'])
  })

  it('that is ordinary is told to nobody', async () => {
    await begin('work')
    await add('go on')
    await bench.clock.advance(3_600_000)
    await outbox.pause({ code: 'by-user' })
    await bench.clock.advance(3_600_000)
    expect(news).toEqual(['main turn by person'])
  })

  it('by an offline terminal ends when the terminal is back', async () => {
    const target = bench.target()
    bench.targets.set(T, null)
    await add('go on')
    await afterSettle()
    expect(holds()).toEqual(['terminal-offline'])
    bench.targets.set(T, target)
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(states()).toEqual(['submitted'])
  })

  it('holds for a terminal that does not answer', async () => {
    bench.target().read = () => new Promise(() => {})
    await add('go on')
    await bench.clock.advance(bench.settings.settleMs + bench.settings.readMs)
    expect(holds()).toEqual(['screen-unknown'])
  })

  it('of one conversation lets another pass, and ends when its conversation is back', async () => {
    await turn('/new', 's2')
    await add('for s1')
    await outbox.add({ sessionId: 's2', text: 'for s2', source: 'user' })
    await afterSettle()
    expect(bench.target().typed.map((o) => o.text)).toEqual(['for s2'])
    await turn('for s2', 's2')
    await afterSettle()
    expect(holds()).toEqual(['other-conversation', null])
    await turn('back', 's1')
    await afterSettle()
    expect(bench.target().typed.map((o) => o.text)).toEqual(['for s2', 'for s1'])
  })

  it('found between looking and typing counts', async () => {
    const target = bench.target()
    target.read = async () => { void outbox.pause({ code: 'by-user' }); return { kind: 'ready', bracketedPaste: true } }
    await add('go on')
    await afterSettle()
    expect(target.typed).toEqual([])
    expect(holds()).toEqual(['paused'])
  })
})

describe('an empty queue', () => {
  it('polls nothing, holds no timer and watches no terminal', async () => {
    expect(bench.clock.pending()).toBe(0)
    await add('go on')
    await afterSettle()
    await turn('go on')
    await settle(bench.clock)
    expect(bench.clock.pending()).toBe(0)
    expect(bench.target().listeners).toBe(0)
    const { reads } = bench.target()
    bench.target().change()
    await bench.clock.advance(3_600_000)
    expect(bench.target().reads).toBe(reads)
  })
})

describe('Enter that is owed', () => {
  const owe = async () => {
    bench.target().answer = () => ({ kind: 'enter-owed', reason: { code: 'dialog-open' } })
    const entry = await add('go on', 'stopMessage')
    bench.target().reading = { kind: 'ready', bracketedPaste: true }
    // the dialog that came between text and Enter is still there
    const original = bench.target().answer
    bench.target().answer = (...args) => { bench.target().reading = { kind: 'hold', reason: { code: 'dialog-open' } }; return original(...args) }
    await afterSettle()
    bench.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    return entry
  }
  it('is pressed when the composer still holds the text; the text is never typed again', async () => {
    const entry = await owe()
    expect(outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'dialog-open' } })
    bench.target().reading = { kind: 'composer-holds', text: ' go  on ' }
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(states()).toEqual(['submitted'])
    expect(bench.target().typed).toHaveLength(1)
    expect(bench.target().enters).toEqual([entry.id])
  })
  it('is not pressed on another text', async () => {
    await owe()
    bench.target().reading = { kind: 'composer-holds', text: 'go on, but first' }
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(holds()).toEqual(['draft'])
    expect(bench.target().enters).toEqual([])
  })
  it('stays owed when pressing it was held', async () => {
    await owe()
    bench.target().reading = { kind: 'composer-holds', text: null }
    bench.target().answer = () => ({ kind: 'held', reason: { code: 'agent-busy' } })
    await bench.clock.advance(bench.settings.lookAgainMs)
    bench.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(bench.target().typed).toHaveLength(1)
    expect(bench.target().enters).toHaveLength(2)
    expect(states()).toEqual(['submitted'])
  })
  it('counts as pressed by somebody else when the composer is empty again; then the receipt decides', async () => {
    await owe()
    bench.target().reading = { kind: 'ready', bracketedPaste: true }
    await bench.clock.advance(bench.settings.lookAgainMs)
    expect(states()).toEqual(['submitted'])
    expect(bench.target().enters).toEqual([])
    await bench.clock.advance(bench.settings.receiptMs)
    expect(news).toEqual(['submitted go on', 'failed go on not-received'])
  })
  it('is proved by the person who pressed it', async () => {
    await owe()
    await turn('go on')
    expect(states()).toEqual(['confirmed'])
    expect(news).toEqual(['submitted go on', 'confirmed go on', 'main turn ours'])
  })
  it('cannot be edited any more, but cancelled', async () => {
    const entry = await owe()
    await expect(outbox.edit(entry.id, 0, 'x')).rejects.toMatchObject({ code: 'entry-under-way' })
    await outbox.cancel(entry.id)
    expect(states()).toEqual(['cancelled'])
  })
})

describe('a receipt that does not come', () => {
  it('fails after a minute, and only time without a request in flight counts', async () => {
    await add('go on')
    await afterSettle()
    await bench.clock.advance(30_000)
    const title = await begin('title please', 's1', { kind: 'title', hasNewMainTurn: false })
    await bench.clock.advance(600_000)
    expect(states()).toEqual(['submitted'])
    outbox.requestEnded(title)
    await bench.clock.advance(29_999)
    expect(states()).toEqual(['submitted'])
    await bench.clock.advance(1)
    expect(outbox.list()[0]).toMatchObject({ state: 'failed', fail: { code: 'not-received' } })
    expect(news).toEqual(['submitted go on', 'failed go on not-received'])
  })
  it('may still come late, and counts the submit once', async () => {
    await add('go on')
    await afterSettle()
    await bench.clock.advance(bench.settings.receiptMs)
    news = []
    await turn('go on')
    expect(news).toEqual(['confirmed go on late', 'main turn ours'])
    expect(bench.events.at(-1)).toMatchObject({ type: 'confirmed', late: true, afterMs: 60_000 })
  })
  it('proves an entry of unknown fate, submit included', async () => {
    bench.target().answer = () => ({ kind: 'unknown' })
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['unknown'])
    await turn('go on')
    expect(news).toEqual(['submitted go on', 'confirmed go on late', 'main turn ours'])
  })
  it('is told once for an entry of unknown fate, which stays unknown', async () => {
    bench.target().answer = () => Promise.reject(new Error('link broke'))
    await add('go on')
    await afterSettle()
    await bench.clock.advance(600_000)
    expect(states()).toEqual(['unknown'])
    expect(news).toEqual(['unconfirmed go on'])
  })
  it.each([
    ['a retry or tool round', { hasNewMainTurn: false }],
    ['a sub-agent', { kind: 'subagent' as const }],
    ['a compaction', { kind: 'compaction' as const }],
  ])('does not come from %s', async (_, more) => {
    await add('go on')
    await afterSettle()
    outbox.requestEnded(await begin('go on', 's1', more))
    expect(states()).toEqual(['submitted'])
  })
  it('does not come twice for rounds that read alike', async () => {
    await add('go on', 'stopMessage')
    await afterSettle()
    await turn('go on')
    await add('go on', 'stopMessage')
    await afterSettle()
    outbox.requestEnded(await begin('go on', 's1', { hasNewMainTurn: false }))
    expect(states()).toEqual(['confirmed', 'submitted'])
    await turn('go on')
    expect(states()).toEqual(['confirmed', 'confirmed'])
  })
})

describe('failure', () => {
  it.each<[TypeResult & { kind: 'failed' }]>([
    [{ kind: 'failed', reason: { code: 'not-submitted' } }],
    [{ kind: 'failed', reason: { code: 'dialog-took-text' } }],
    [{ kind: 'failed', reason: { code: 'agent-gone' } }],
  ])('%j is final: nothing is tried again', async (result) => {
    bench.target().answer = () => result
    await add('go on')
    await bench.clock.advance(3_600_000)
    expect(bench.target().typed).toHaveLength(1)
    expect(news).toEqual([`failed go on ${result.reason.code}`])
  })
  it('of a terminal that is gone takes every waiting entry', async () => {
    bench.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'pane closed' } }
    await add('one')
    await add('two')
    await afterSettle()
    expect(states()).toEqual(['failed', 'failed'])
    expect(bench.target().typed).toEqual([])
  })
  it('a terminal that never answers while typing leaves an unknown fate', async () => {
    let control: TypeControl | null = null
    bench.target().answer = (_, c) => { control = c; return new Promise(() => {}) }
    await add('go on')
    await bench.clock.advance(bench.settings.settleMs + bench.settings.typeMs)
    expect(states()).toEqual(['unknown'])
    expect(control).toMatchObject({ stop: { aborted: true } })
  })
})

describe('what a person does', () => {
  it('edits by revision, reorders, cancels, sends now', async () => {
    const request = await begin('work')
    const [one, two, three] = [await add('one'), await add('two'), await add('three')]
    expect(await outbox.edit(one.id, 0, 'uno')).toMatchObject({ text: 'uno', revision: 1 })
    await expect(outbox.edit(one.id, 0, 'eins')).rejects.toMatchObject({ code: 'entry-changed' })
    await outbox.move(three.id, one.id)
    await outbox.move(one.id, null)
    expect(outbox.list().map((e) => e.text)).toEqual(['three', 'two', 'uno'])
    await outbox.cancel(two.id)
    await expect(outbox.cancel(two.id)).rejects.toMatchObject({ code: 'entry-under-way' })
    await expect(outbox.cancel('nobody')).rejects.toMatchObject({ code: 'entry-not-found' })
    await outbox.sendNow(three.id)
    outbox.requestEnded(request)
    await settle(bench.clock)
    expect(bench.target().typed.map((o) => o.text)).toEqual(['three'])
  })

  it('what was edited while the terminal was read is typed as edited', async () => {
    let read = 0
    const target = bench.target()
    const entry = await add('one')
    target.read = async () => { if (read++ === 0) await outbox.edit(entry.id, 0, 'two'); return { kind: 'ready', bracketedPaste: true } }
    await afterSettle()
    expect(target.typed.map((o) => o.text)).toEqual(['two'])
  })

  it('cancels in the middle of typing: no Enter', async () => {
    bench.target().answer = (_, { stop }) => new Promise((resolve) => {
      stop.addEventListener('abort', () => resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } }))
    })
    const entry = await add('go on')
    await afterSettle()
    await outbox.cancel(entry.id)
    expect(states()).toEqual(['cancelled'])
    await bench.clock.advance(3_600_000)
    expect(bench.target().enters).toEqual([])
  })

  it('cancels too late', async () => {
    bench.target().answer = (_, { stop }) => new Promise((resolve) => {
      stop.addEventListener('abort', () => resolve({ kind: 'submitted', extraEnter: false }))
    })
    const entry = await add('go on')
    await afterSettle()
    await expect(outbox.cancel(entry.id)).rejects.toMatchObject({ code: 'entry-under-way' })
    expect(states()).toEqual(['submitted'])
  })

  it('pauses in the middle of typing: no Enter until resumed', async () => {
    bench.target().answer = (_, { stop }, what) => what === 'enter' ? { kind: 'submitted', extraEnter: false } : new Promise((resolve) => {
      stop.addEventListener('abort', () => { bench.target().reading = { kind: 'composer-holds', text: 'go on' }; resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } }) })
    })
    await add('go on')
    await afterSettle()
    await outbox.pause({ code: 'by-user' })
    await bench.clock.advance(3_600_000)
    expect(holds()).toEqual(['paused'])
    expect(bench.target().enters).toEqual([])
    await outbox.resume()
    await settle(bench.clock)
    expect(states()).toEqual(['submitted'])
    expect(bench.target().typed).toHaveLength(1)
  })

  it('pauses everything in the middle of typing: no Enter', async () => {
    let control: TypeControl | null = null
    bench.target().answer = (_, c) => { control = c; return new Promise(() => {}) }
    await add('go on')
    await afterSettle()
    await bench.outboxes.pauseAll()
    expect(control).toMatchObject({ stop: { aborted: true } })
  })

  it('pauses everything, over a restart, too', async () => {
    await bench.outboxes.pauseAll()
    await add('go on')
    await bench.clock.advance(60_000)
    expect(outbox.list()[0]?.hold).toEqual({ code: 'paused', by: 'global' })
    const { disk, clock, targets } = bench
    bench.outboxes.dispose()
    await open({ disk, clock, targets })
    await bench.clock.advance(60_000)
    expect(bench.outboxes.pausedAll()).toBe(true)
    expect(bench.target().typed).toEqual([])
    await bench.outboxes.resumeAll()
    await settle(bench.clock)
    expect(states()).toEqual(['submitted'])
  })
})

describe('what comes up while the entry is being written down', () => {
  const whileWriting = (act: () => void) => {
    let done = false
    bench.disk.fate = () => {
      if (!done && outbox.list().some((e) => e.state === 'queued')) { done = true; act() }
      return 'ok'
    }
  }
  it('a pause: nothing is typed', async () => {
    await add('go on')
    whileWriting(() => { void outbox.pause({ code: 'by-user' }) })
    await bench.clock.advance(60_000)
    expect(bench.target().typed).toEqual([])
    expect(outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'paused' }, typedAt: null })
  })
  it('a request: nothing is typed, and the request is not taken for its proof', async () => {
    await add('go on', 'user')
    let request = ''
    whileWriting(() => { void begin('something else').then((id) => { request = id }) })
    await bench.clock.advance(60_000)
    expect(bench.target().typed).toEqual([])
    expect(holds()).toEqual(['response-running'])
    outbox.requestEnded(request)
    await afterSettle()
    expect(bench.target().typed).toHaveLength(1)
  })
})

describe('closing', () => {
  it('waits for what is being typed, and begins nothing new', async () => {
    let answer: (result: TypeResult) => void = () => {}
    bench.target().answer = () => new Promise((resolve) => { answer = resolve })
    await add('one')
    await add('two')
    await afterSettle()
    const closing = bench.outboxes.close()
    answer({ kind: 'submitted', extraEnter: false })
    await closing
    await bench.clock.advance(600_000)
    expect(bench.target().typed.map((o) => o.text)).toEqual(['one'])
    expect(JSON.parse(bench.disk.files.get('outbox/tmux-main.json') ?? '').entries.map((e: { phase: { state: string } }) => e.phase.state)).toEqual(['submitted', 'queued'])
    expect(bench.clock.pending()).toBe(0)
  })
})

describe('a new main turn that is no receipt', () => {
  it('supersedes what would keep the agent going, not what a person or an alarm wants said', async () => {
    await outbox.pause({ code: 'by-user' })
    await add('go on', 'stopMessage')
    await add('by hand', 'user')
    await add('ring', 'clock')
    await turn('the person was faster')
    expect(states()).toEqual(['superseded', 'queued', 'queued'])
    expect(news).toEqual(['superseded go on', 'main turn by person'])
  })
  it('takes one that is being typed as soon as it comes back untyped', async () => {
    let answer: (result: TypeResult) => void = () => {}
    bench.target().answer = () => new Promise((resolve) => { answer = resolve })
    await add('go on', 'stopMessage')
    await afterSettle()
    await turn('the person was faster')
    answer({ kind: 'held', reason: { code: 'agent-busy' } })
    await settle(bench.clock)
    expect(states()).toEqual(['superseded'])
  })
})

describe('at most one', () => {
  it.each(['stopMessage', 'continue_execution'] as const)('followup that keeps the agent going is under way: %s is refused', async (source) => {
    const first = await add('go on', 'stopMessage')
    const again = () => outbox.add({ sessionId: 's1', text: 'more', source })
    await expect(again()).rejects.toMatchObject({ code: 'entry-pending', details: { entryId: first.id } })
    await afterSettle()
    await expect(again()).rejects.toMatchObject({ code: 'entry-pending' })
    await turn('go on')
    await expect(again()).resolves.toMatchObject({ state: 'queued' })
  })
})

describe('our own texts', () => {
  it('are known whatever became of them, so that they are never read for markers', async () => {
    const entry = await add('go on')
    const look = () => outbox.matchReceipt('s1', ['go on', 'not ours'])
    expect(look()).toEqual({ ours: [true, false], proves: [] })
    await afterSettle()
    expect(look()).toEqual({ ours: [true, false], proves: [entry.id] })
    await turn('go on')
    expect(look()).toEqual({ ours: [true, false], proves: [] })
  })
  it('are forgotten after a week, or when fifty others came after', async () => {
    await outbox.pause({ code: 'by-user' })
    for (let i = 0; i < 51; i++) await outbox.cancel((await add(`text ${i}`)).id)
    const known = (text: string) => outbox.matchReceipt('s1', [text]).ours[0]
    expect([known('text 0'), known('text 1'), known('text 50')]).toEqual([false, true, true])
    await bench.clock.advance(bench.settings.keepMs + 1)
    await outbox.cancel((await add('later')).id)
    expect([known('text 50'), known('later')]).toEqual([false, true])
  })
})
