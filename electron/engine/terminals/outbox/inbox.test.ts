import { describe, expect, it } from 'vitest'
import { RequestFailed } from '../inbox/app-server.ts'
import type { Way } from '../inbox/agent-inboxes.ts'
import { inboxTarget, TAKEN_MS } from '../inbox/inbox-target.ts'
import type { BenchOptions } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, begin, holds, states, turn } = b

/** The agent's list, as it is: texts lie in it until the agent takes them. */
function fakeInbox(options: { wanted?: boolean } = {}) {
  const lying = new Map<string, string>()
  const put: string[] = []
  const state = { fails: null as RequestFailed | null, wanted: options.wanted ?? true, way: 'inbox' as Way['kind'] }
  const inbox = {
    version: '1.0.0',
    ended: () => false,
    dispose: () => undefined,
    async put(_thread: string, entryId: string, text: string) {
      if (state.fails) throw state.fails
      lying.set(entryId, text)
      put.push(text)
    },
    async takeOut(_thread: string, entryId: string) {
      if (state.fails) throw state.fails
      return lying.delete(entryId)
    },
    pauseGoal: async () => false,
  }
  const way = async (): Promise<Way> => {
    if (state.way === 'away') return { kind: 'away', why: 'it does not answer' }
    if (state.way === 'typing') return { kind: 'typing', why: { code: 'none' } }
    return {
      kind: 'inbox',
      of: (thread) => inboxTarget(inbox, thread, { clock: b.bench.clock, away: () => undefined }),
      pauseGoal: inbox.pauseGoal,
    }
  }
  return { lying, put, state, deps: { wanted: () => state.wanted, of: way } }
}

async function withInbox(options: BenchOptions & { wanted?: boolean } = {}) {
  const inbox = fakeInbox(options)
  await b.open({ ...options, inbox: inbox.deps })
  await turn('hello')
  return inbox
}

describe('an entry for the agent’s own inbox', () => {
  it('is handed over beside a draft, nothing is typed, and its turn is its receipt', async () => {
    const inbox = await withInbox()
    b.bench.target().reading = { kind: 'composer-holds', text: 'a draft of the person' }
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['typing'])
    expect(inbox.put).toEqual(['go on'])
    await turn('go on')
    await afterSettle()
    expect(states()).toEqual(['confirmed'])
    expect(b.bench.target().typed).toEqual([])
    expect(b.bench.story()).toEqual(['queued', 'submitted', 'confirmed'])
  })

  it.each(['typing', 'copy-mode'] as const)('does not wait for a hold of keys alone: %s', async (code) => {
    const inbox = await withInbox()
    b.bench.target().reading = { kind: 'hold', reason: { code } }
    await add('go on')
    await afterSettle()
    expect(inbox.put).toEqual(['go on'])
  })

  it.each(['dialog-open', 'agent-busy', 'foreground-unknown', 'screen-unread'] as const)(
    'waits for every other: %s',
    async (code) => {
      const inbox = await withInbox()
      b.bench.target().reading = { kind: 'hold', reason: { code } }
      await add('go on')
      await afterSettle()
      expect(inbox.put).toEqual([])
      expect(holds()).toEqual([code])
    },
  )

  it('waits while the inbox is away, and is not typed', async () => {
    const inbox = await withInbox()
    inbox.state.way = 'away'
    await add('go on')
    await afterSettle()
    expect(holds()).toEqual(['inbox-away'])
    inbox.state.way = 'inbox'
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(inbox.put).toEqual(['go on'])
    expect(b.bench.target().typed).toEqual([])
  })

  it('waits where the inbox refused it', async () => {
    const inbox = await withInbox()
    inbox.state.fails = new RequestFailed('no such thread', true)
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['queued'])
    expect(b.bench.target().typed).toEqual([])
    inbox.state.fails = null
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(inbox.put).toEqual(['go on'])
  })

  it.each([
    ['it is typed where the agent has none', { way: 'typing' }],
    ['it is typed where the config does not ask for it', { wanted: false }],
  ] as const)('%s', async (_, state) => {
    const inbox = await withInbox()
    Object.assign(inbox.state, state)
    await add('go on')
    await afterSettle()
    expect(inbox.put).toEqual([])
    expect(b.bench.target().typed).toMatchObject([{ text: 'go on' }])
  })

  it('comes back where a person stops it before it is taken', async () => {
    const inbox = await withInbox()
    const { id } = await add('go on')
    await afterSettle()
    await b.outbox.cancel(id)
    await afterSettle()
    expect(states()).toEqual(['cancelled'])
    expect(inbox.lying.size).toBe(0)
  })

  it('is taken back where the agent does not take it in time, and handed over again later', async () => {
    const inbox = await withInbox()
    await add('go on')
    await afterSettle()
    await b.bench.clock.advance(TAKEN_MS)
    expect(states()).toEqual(['queued'])
    expect(inbox.lying.size).toBe(0)
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(inbox.put).toEqual(['go on', 'go on'])
  })

  it('was taken where it can’t be taken back: nothing is handed over again', async () => {
    const inbox = await withInbox()
    await add('go on')
    await afterSettle()
    inbox.lying.clear()
    await b.bench.clock.advance(TAKEN_MS)
    expect(states()).toEqual(['submitted'])
    await b.bench.clock.advance(b.bench.settings.receiptMs * 2)
    expect(inbox.put).toEqual(['go on'])
  })

  it('waits while another answer runs, taken out until then', async () => {
    const inbox = await withInbox()
    await add('go on')
    await afterSettle()
    const request = await begin('a question of the person')
    await afterSettle()
    expect(states()).toEqual(['queued'])
    expect(inbox.lying.size).toBe(0)
    b.outbox.requestEnded(request)
    await afterSettle()
    expect(inbox.put).toEqual(['go on', 'go on'])
  })

  describe('after a crash', () => {
    it('is taken out and handed over again where it lies there still', async () => {
      const inbox = await withInbox()
      const { id } = await add('go on')
      await afterSettle()
      const killed = b.bench.kill()
      // a process that was killed takes nothing out
      await killed.clock?.advance(0)
      inbox.lying.set(id, 'go on')
      await b.open({ ...killed, inbox: inbox.deps })
      await afterSettle()
      await b.bench.clock.advance(b.bench.settings.checkAgainMs * 2)
      expect(inbox.put).toEqual(['go on', 'go on'])
      expect(Array.from(inbox.lying.values())).toEqual(['go on'])
      expect(b.bench.target().enters).toEqual([])
    })

    it('is never handed over again where it does not, and its turn confirms it', async () => {
      const inbox = await withInbox()
      await add('go on')
      await afterSettle()
      const killed = b.bench.kill()
      inbox.lying.clear()
      await b.open({ ...killed, inbox: inbox.deps })
      await b.bench.clock.advance(b.bench.settings.settleMs + b.bench.settings.checkAgainMs)
      expect(states()).toEqual(['unknown'])
      await turn('go on')
      expect(states()).toEqual(['confirmed'])
      expect(inbox.put).toEqual(['go on'])
      expect(b.bench.target().typed).toEqual([])
    })

    it('is unknown where nobody can look into the inbox any more', async () => {
      const inbox = await withInbox()
      await add('go on')
      await afterSettle()
      const killed = b.bench.kill()
      inbox.state.way = 'typing'
      await b.open({ ...killed, inbox: inbox.deps })
      await b.bench.clock.advance(b.bench.settings.settleMs + b.bench.settings.checkAgainMs)
      expect(states()).toEqual(['unknown'])
      expect(b.bench.target().typed).toEqual([])
    })
  })

  it('ends with the engine at once, taken out', async () => {
    const inbox = await withInbox()
    await add('go on')
    await afterSettle()
    await b.outbox.close()
    expect(inbox.lying.size).toBe(0)
  })

  it('is typed before the first turn, when there is no conversation that it could be put into', async () => {
    const inbox = await withInbox()
    await b.outbox.add({ sessionId: null, text: 'begin', source: 'user' })
    await afterSettle()
    expect(inbox.put).toEqual([])
    expect(b.bench.target().typed).toMatchObject([{ text: 'begin' }])
  })
})
