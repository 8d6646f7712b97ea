import { describe, expect, it } from 'vitest'
import { saidIn } from '../../protocol/canonical/kept/testing/conversation.ts'
import { followup, kept, withoutThinking } from '../../protocol/testing/hand-back.ts'
import type { JsonObject } from '../../protocol/values.ts'
import { heardOf, requestOf, userItem } from '../testing/client-view.ts'
import type { Says } from '../testing/scripted-upstream.ts'
import { roundsScene, type SceneOptions } from '../testing/rounds-scene.ts'
import { lookTool } from '../testing/slow-tool.ts'

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
