import { describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import type { KeptAnswer } from '../protocol/canonical/kept/match-answers.ts'
import { saidIn } from '../protocol/canonical/kept/testing/conversation.ts'
import { followup, kept, withoutThinking } from '../protocol/testing/hand-back.ts'
import type { JsonObject } from '../protocol/values.ts'
import { createStore } from '../store/create-store.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { heardOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene, type SceneOptions } from './testing/rounds-scene.ts'
import type { Says } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'
import { createKeptThinking } from './kept-thinking.ts'

const clock = virtualClock()
const answerOf = (id: string, chars = 10): KeptAnswer => ({
  at: clock.now(),
  of: 'messages',
  by: 'p.m',
  ordinal: 0,
  text: 'digest',
  calls: 'digest',
  pieces: [
    { type: 'thinking', text: '', seal: { of: 'messages', data: 's'.repeat(chars) } },
    { type: 'call', id, seal: null },
  ],
})
const idsOf = (answers: readonly KeptAnswer[]): string[] =>
  answers.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.type === 'call' ? [piece.id] : [])))

async function opened(files = memoryFiles(), isOn = () => true) {
  const problems: string[] = []
  const store = createStore({
    root: '/r',
    files,
    clock,
    log: silentLog,
    onProblem: ({ message }) => {
      problems.push(message)
    },
  })
  const thinking = createKeptThinking({ store, clock, log: silentLog, isOn })
  await thinking.load()
  return {
    ...thinking,
    files,
    problems,
    async ids(conversation: string, calls: readonly string[] = []): Promise<string[]> {
      await thinking.open(conversation, () => calls)
      return idsOf(thinking.of(conversation, () => calls).answers)
    },
    /** true if it is known that something was kept here and dropped */
    async forgot(conversation: string, calls: readonly string[] = []): Promise<boolean> {
      await thinking.open(conversation, () => calls)
      return thinking.of(conversation, () => calls).forgotten
    },
    names: () => [...files.content.keys()].filter((path) => path.startsWith('/r/thinking/')),
  }
}

describe('kept thinking', () => {
  it('is there at once, and after a restart', async () => {
    const before = await opened()
    before.add('session-1', answerOf('a'))
    before.add('session-1', answerOf('b'))
    before.add('session-2', answerOf('c'))
    expect(await before.ids('session-1')).toEqual(['a', 'b'])
    await before.flush()
    const after = await opened(before.files)
    expect(await after.ids('session-1')).toEqual(['a', 'b'])
    expect(await after.ids('session-2')).toEqual(['c'])
    expect(await after.ids('session-3')).toEqual([])
  })

  it('costs a conversation that has nothing no look at the disk', async () => {
    const { open } = await opened()
    expect(open('session-1', () => [])).toBeNull()
  })

  it('looks once at most for what a conversation was forked from', async () => {
    const before = await opened()
    before.add('session-1', answerOf('a'))
    await before.flush()
    const { open } = await opened(before.files)
    let asked = 0
    const ids = () => {
      asked++
      return ['other']
    }
    await open('session-2', ids)
    expect(open('session-2', ids)).toBeNull()
    expect(asked).toBe(1)
  })

  it('of a conversation that its client keeps itself goes, with its file', async () => {
    const thinking = await opened()
    const answer = answerOf('a')
    thinking.add('session-1', answer)
    await thinking.flush()
    expect(thinking.names()).toHaveLength(1)
    thinking.sent('session-1', [answer], false)
    await thinking.flush()
    expect([await thinking.ids('session-1'), thinking.names()]).toEqual([[], []])
  })

  it('of a client that keeps its answers itself is in memory only, until it drops one', async () => {
    const thinking = await opened()
    const [a, b, c] = [answerOf('a'), answerOf('b'), answerOf('c')]
    thinking.add('session-1', a)
    thinking.sent('session-1', [a], false)
    thinking.add('session-1', b)
    await thinking.flush()
    expect([await thinking.ids('session-1'), thinking.names()]).toEqual([['b'], []])
    thinking.sent('session-1', [], true)
    thinking.add('session-1', c)
    await thinking.flush()
    expect(await (await opened(thinking.files)).ids('session-1')).toEqual(['b', 'c'])
  })

  it('is bounded: half of a conversation goes at once, and that is remembered', async () => {
    const thinking = await opened()
    for (let i = 0; i < 5; i++) thinking.add('session-1', answerOf(`${i}`, 1_000_000))
    expect(await thinking.ids('session-1')).toEqual(['3', '4'])
    await thinking.flush()
    const after = await opened(thinking.files)
    await after.open('session-1', () => [])
    expect(after.of('session-1', () => []).forgotten).toBe(true)
  })

  it('keeps an answer that is larger than all of them may be', async () => {
    const thinking = await opened()
    thinking.add('session-1', answerOf('big', 5 * 1024 * 1024))
    expect(await thinking.ids('session-1')).toEqual(['big'])
  })

  it('is kept of the newest 64 conversations', async () => {
    const thinking = await opened()
    for (let i = 0; i < 70; i++) {
      thinking.add(`session-${i}`, answerOf(`${i}`))
      await thinking.flush()
    }
    expect(thinking.names()).toHaveLength(64)
    const after = await opened(thinking.files)
    await after.flush()
    expect([await after.ids('session-5'), await after.ids('session-6')]).toEqual([[], ['6']])
    for (const those of [thinking, after, await opened(thinking.files)])
      expect([await those.forgot('session-5'), await those.forgot('session-6'), await those.forgot('new')]).toEqual([
        true,
        false,
        false,
      ])
  })

  it('of a month ago is gone, and so is its file', async () => {
    const thinking = await opened()
    thinking.add('session-1', answerOf('a'))
    await thinking.flush()
    await clock.advance(31 * 24 * 3_600_000)
    expect(await thinking.ids('session-1')).toEqual(['a'])
    thinking.add('session-1', answerOf('b'))
    expect(await thinking.ids('session-1')).toEqual(['b'])
    expect(await thinking.forgot('session-1')).toBe(true)
    await clock.advance(31 * 24 * 3_600_000)
    const after = await opened(thinking.files)
    await after.flush()
    expect(after.names()).toEqual([])
    expect(await after.forgot('session-1')).toBe(true)
    expect(await (await opened(thinking.files)).forgot('session-1')).toBe(true)
  })

  it('of a month ago that is read before its file goes is known to be gone', async () => {
    const thinking = await opened()
    thinking.add('session-1', answerOf('a'))
    await thinking.flush()
    await clock.advance(20 * 24 * 3_600_000)
    thinking.add('session-2', answerOf('b'))
    await thinking.flush()
    await clock.advance(20 * 24 * 3_600_000)
    const after = await opened(thinking.files)
    expect([await after.ids('session-1'), await after.forgot('session-1')]).toEqual([[], true])
    expect([await after.ids('session-2'), await after.forgot('session-2')]).toEqual([['b'], false])
  })

  it('goes with a conversation that is forked, and stays with the first', async () => {
    const thinking = await opened()
    for (const id of ['a', 'b']) thinking.add('session-1', answerOf(id))
    expect(await thinking.ids('session-2', ['a', 'b'])).toEqual(['a', 'b'])
    thinking.add('session-2', answerOf('c'))
    expect([await thinking.ids('session-1'), await thinking.ids('session-2')]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
    await thinking.flush()
    expect(await (await opened(thinking.files)).ids('session-2')).toEqual(['a', 'b', 'c'])
  })

  it('goes with a conversation that is forked after a restart', async () => {
    const before = await opened()
    before.add('session-0', answerOf('x'))
    for (const id of ['a', 'b']) before.add('session-1', answerOf(id))
    await before.flush()
    const after = await opened(before.files)
    expect(await after.ids('session-2', ['a', 'b'])).toEqual(['a', 'b'])
    after.add('session-2', answerOf('c'))
    await after.flush()
    expect(await after.ids('session-3', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
    const later = await opened(before.files)
    expect(await later.ids('session-1')).toEqual(['a', 'b'])
    expect(await later.ids('session-2')).toEqual(['a', 'b', 'c'])
    expect(await later.ids('session-4', ['unknown'])).toEqual([])
  })

  it('is not lost when its conversation is not at hand any more as an answer ends', async () => {
    const first = await opened()
    first.add('session-1', answerOf('a'))
    await first.flush()
    const later = await opened(first.files)
    later.add('session-1', answerOf('b'))
    await later.flush()
    expect(await later.ids('session-1')).toEqual(['a', 'b'])
    expect(await (await opened(first.files)).ids('session-1')).toEqual(['a', 'b'])
  })

  it('is neither kept nor used where it is switched off', async () => {
    const on = await opened()
    on.add('session-1', answerOf('a'))
    await on.flush()
    const off = await opened(on.files, () => false)
    off.add('session-1', answerOf('b'))
    await off.flush()
    expect(await off.ids('session-1')).toEqual([])
    expect(await (await opened(on.files)).ids('session-1')).toEqual(['a'])
  })

  it('counts in memory where the disk takes nothing', async () => {
    const files = memoryFiles()
    const thinking = await opened({
      ...files,
      writeAtomic: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    })
    thinking.add('session-1', answerOf('a'))
    await thinking.flush()
    expect(await thinking.ids('session-1')).toEqual(['a'])
    expect(thinking.problems).toHaveLength(1)
  })

  it('that can’t be read is moved aside, and the conversation goes on', async () => {
    const files = memoryFiles()
    files.content.set('/r/thinking/session-1.json', '{"version":1,"state":{"conversation":1}}')
    const thinking = await opened(files)
    expect(await thinking.ids('session-1')).toEqual([])
    expect(thinking.problems).toHaveLength(1)
  })
})

/** A client that keeps only words and calls; it asks again as soon as it has its answer. */
async function dropping(entry: 'chat' | 'gemini', provider: 'messages' | 'responses', options: SceneOptions = {}) {
  const history: JsonObject[] = [userItem(entry, 'Hi')]
  let s = await roundsScene(entry, { provider, ...options })
  return {
    get scene() {
      return s
    },
    history,
    /** Answers the client's request with these rounds. @returns the requests as the provider got them */
    async turn(rounds: readonly Says[], members: JsonObject = {}) {
      const from = s.upstream.rounds.length
      const asked = await s.ask(requestOf(entry, history, members))
      const seen: JsonObject[] = []
      for (const [i, says] of rounds.entries()) {
        const round = await s.upstream.round(from + i + 1)
        seen.push(round.json)
        round.answer(says)
      }
      const { error } = await asked.over
      expect(error).toBeNull()
      const copy = withoutThinking(entry, kept(entry, asked.client.text, true))
      history.push(...copy, ...followup(entry, copy))
      return { seen, dropped: asked.turn.dropped, heard: heardOf(entry, asked.client.text) }
    },
    async restart(more: SceneOptions = {}) {
      const { files, listOf, thinking } = s
      await thinking.flush()
      s = await roundsScene(entry, { provider, ...options, ...more, earlier: { files, listOf } })
    },
  }
}

const readCall = { name: 'read', input: { path: 'a' } }
const first = { thinking: 'First.', text: 'I read.', toolCalls: [{ ...readCall, id: 'call_1' }] }
const seals = (provider: 'messages' | 'responses', body: JsonObject | undefined): string[] =>
  saidIn(provider, body ?? {}).flatMap((said) => /sig_mock\d+|enc_mock\d+/.exec(said) ?? [])
const made = { messages: 'sig_mock', responses: 'enc_mock' } as const

describe.each(['chat', 'gemini'] as const)('a %s client that drops thinking', (entry) => {
  describe.each(['messages', 'responses'] as const)('over %s', (provider) => {
    const sealed = (n: number): string => `${made[provider]}${n}`

    it('gives it back in every later turn all the same, also behind a restart', async () => {
      const talk = await dropping(entry, provider)
      await talk.turn([first])
      const second = await talk.turn([{ thinking: 'Now I know.', text: 'It is a.' }])
      expect(seals(provider, second.seen[0])).toEqual([sealed(1)])
      expect(second.dropped).not.toContain('thinking')
      await talk.restart()
      const third = await talk.turn([{ text: 'Bye.' }])
      expect(seals(provider, third.seen[0])).toEqual([sealed(1), sealed(2)])
      expect(saidIn(provider, third.seen[0] ?? {}).slice(0, 3)).toEqual(saidIn(provider, second.seen[0] ?? {}))
    })

    it('gives it back without a session, too', async () => {
      const talk = await dropping(entry, provider, { sessionId: null })
      await talk.turn([first])
      await talk.restart()
      expect(seals(provider, (await talk.turn([{ text: 'It is a.' }])).seen[0])).toEqual([sealed(1)])
    })

    it('gives it back to a conversation that was forked behind a restart', async () => {
      const talk = await dropping(entry, provider)
      await talk.turn([first])
      await talk.restart({ sessionId: 'forked' })
      const { seen, dropped } = await talk.turn([{ text: 'It is a.' }])
      expect(seals(provider, seen[0])).toEqual([sealed(1)])
      expect(dropped).not.toContain('thinking')
    })

    it('gives it back for rounds that it never saw', async () => {
      const talk = await dropping(entry, provider, { tools: [lookTool()] })
      const look = { thinking: 'Look.', text: 'One. ', toolCalls: [{ name: 'look', id: 'call_l', input: {} }] }
      const { seen, heard } = await talk.turn([look, first])
      expect(heard.calls.map(({ name }) => name)).toEqual(['read'])
      expect(seals(provider, seen[1])).toEqual([sealed(1)])
      const second = await talk.turn([{ text: 'It is a.' }])
      expect(seals(provider, second.seen[0])).toEqual([sealed(1), sealed(2)])
      expect(second.dropped).not.toContain('thinking')
      await talk.restart()
      expect(seals(provider, (await talk.turn([{ text: 'Bye.' }])).seen[0])).toEqual([sealed(1), sealed(2)])
    })

    it('gives it back beside calls of Onward’s that stood among its own', async () => {
      const talk = await dropping(entry, provider, { tools: [lookTool()] })
      const mixed = { ...first, toolCalls: [{ name: 'look', id: 'call_l', input: {} }, ...first.toolCalls] }
      await talk.turn([mixed])
      const { seen } = await talk.turn([{ text: 'It is a.' }])
      expect(seals(provider, seen[0])).toEqual([sealed(1)])
      expect(saidIn(provider, seen[0] ?? {})).toHaveLength(4)
      expect(saidIn(provider, seen[0] ?? {})[0]).toContain(sealed(1))
    })

    it('is told what could not be put back, once', async () => {
      const talk = await dropping(entry, provider)
      await talk.turn([{ thinking: 'First.', text: 'It is a.' }])
      const name = entry === 'gemini' ? 'parts' : 'content'
      talk.history[1] = { ...talk.history[1], [name]: entry === 'gemini' ? [{ text: 'It is b.' }] : 'It is b.' }
      const { seen, dropped } = await talk.turn([{ text: 'Is it?' }])
      expect(seals(provider, seen[0])).toEqual([])
      expect(dropped.filter((one) => one === 'thinking')).toEqual(['thinking'])
    })

    it('keeps nothing of an answer that broke off', async () => {
      const s = await roundsScene(entry, { provider })
      const asked = await s.ask(requestOf(entry, [userItem(entry, 'Hi')]))
      const round = await s.upstream.round(1)
      round.head()
      for (const event of round.events(first).slice(0, -1)) round.data(event)
      round.fail()
      await asked.over
      await s.thinking.flush()
      expect([...s.files.content.keys()].filter((path) => path.includes('/thinking/'))).toEqual([])
    })
  })
})
