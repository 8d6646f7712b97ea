import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../../shared/words.ts'
import { codecOf, serverToolCodecOf } from '../../protocol/index.ts'
import { calledTool } from '../../servertools/testing/tools.ts'
import type { CalledTool } from '../../servertools/types.ts'
import { requestOf, userItem, heardOf, historyOf, itemsOf } from '../testing/client-view.ts'
import { roundsScene, type SceneOptions } from '../testing/rounds-scene.ts'
import { lookTool } from '../testing/slow-tool.ts'
import { createKnownLists } from './turn-tools.ts'

const run: CalledTool['run'] = async () => ({ kind: 'result', text: '' })
const every = calledTool('tick', run, { declared: 'every-turn' })
const beside = calledTool('fetch', run, { aliases: ['web_get'] })

/** Returns the names of all tools that a request declares, as it goes up. */
async function declared(
  entry: EntryProtocol,
  options: SceneOptions,
  own: readonly string[],
  scene?: Awaited<ReturnType<typeof roundsScene>>,
): Promise<readonly string[]> {
  const s = scene ?? (await roundsScene(entry, { tools: [every, beside], ...options }))
  const n = s.upstream.rounds.length
  const { over } = await s.ask(requestOf(entry, [userItem(entry, 'Hi')], { tools: own }))
  const up = await s.upstream.round(n + 1)
  const path = entry === 'gemini' ? '/v1beta/models/m:streamGenerateContent?alt=sse' : undefined
  const names = serverToolCodecOf(entry).clientTools(codecOf(entry).read(up.body, path))
  up.answer({ text: 'Hello.' })
  await over
  return names
}

describe.each(entryProtocols)('tools of Onward’s in a %s request', (entry) => {
  it.each<[string, SceneOptions, string[], string[]]>([
    ['stand behind the client’s own', {}, ['Read'], ['Read', 'tick', 'fetch']],
    ['are only those of every turn where the client has none', {}, [], ['tick']],
    [
      'stand only beside what the config names',
      { config: { servertools: { declare: 'conditional', beside: ['Bash'] } } },
      ['Read'],
      ['Read', 'tick'],
    ],
    [
      'stand beside what the config names',
      { config: { servertools: { declare: 'conditional', beside: ['Bash'] } } },
      ['Read', 'Bash'],
      ['Read', 'Bash', 'tick', 'fetch'],
    ],
    ['give way to the client’s own of that name', {}, ['tick', 'Read'], ['tick', 'Read', 'fetch']],
    ['give way to the client’s own of another name they have', {}, ['web_get'], ['web_get', 'tick']],
    ['are none when all are off', { config: { servertools: { enabled: false } } }, ['Read'], ['Read']],
    ['are none that is off', { config: { servertools: { tools: { fetch: false } } } }, ['Read'], ['Read', 'tick']],
    ['are none for a model that takes no tools', { model: { tools: false } }, ['Read'], ['Read']],
    ['are none in a subagent’s request', { kind: 'subagent' }, ['Read'], ['Read']],
    ['are none in a title’s', { kind: 'title' }, [], []],
    ['are none in a side request that has none, before there is a list', { kind: 'aside' }, [], []],
    ['are in a side request with tools before any turn', { kind: 'aside' }, ['Read'], ['Read', 'tick', 'fetch']],
    ['are there without a session too', { sessionId: null }, ['Read'], ['Read', 'tick', 'fetch']],
  ])('%s', async (_what, options, own, all) => {
    expect(await declared(entry, options, own)).toEqual(all)
  })

  it('are the list the session began with, whatever is on later', async () => {
    let problem: string | null = null
    const s = await roundsScene(entry, { tools: [every, { ...beside, problem: () => problem }] })
    expect(await declared(entry, {}, ['Read'], s)).toEqual(['Read', 'tick', 'fetch'])
    const [name] = [...s.listOf.values()]
    problem = 'no key'
    expect(await declared(entry, {}, ['Read'], s)).toEqual(['Read', 'tick', 'fetch'])
    expect([...s.listOf.values()]).toEqual([name])
    // An unknown list is made anew.
    s.listOf.set('s1', 'gone')
    expect(await declared(entry, {}, ['Read'], s)).toEqual(['Read', 'tick'])
  })
})

const calls = { text: 'One.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }

describe.each(entryProtocols)('the history of a %s session', (entry) => {
  const hi = userItem(entry, 'Hi')
  const more = userItem(entry, 'More.')
  /** A session whose first answer had two rounds. */
  async function begun(options = {}) {
    const s = await roundsScene(entry, { tools: [lookTool()], ...options })
    const { client, over } = await s.ask(requestOf(entry, [hi]))
    ;(await s.upstream.round(1)).answer(calls)
    const second = await s.upstream.round(2)
    second.answer({ text: 'Two.' })
    await over
    const next = async (history: Parameters<typeof requestOf>[1], members = {}) => {
      const n = s.upstream.rounds.length + 1
      const asked = await s.ask(requestOf(entry, history, members))
      const up = await s.upstream.round(n)
      up.answer({ text: 'Three.' })
      await asked.over
      return up
    }
    return { s, next, answer: historyOf(entry, client.text), text: client.text, second }
  }

  it('is whole again in every later request', async () => {
    const { s, next, answer, second } = await begun()
    for (let i = 0; i < 2; i++) {
      const up = await next([hi, ...answer, more])
      expect(itemsOf(entry, up.json).slice(0, itemsOf(entry, second.json).length)).toEqual(itemsOf(entry, second.json))
    }
    expect(await s.hiddenOf()).toHaveLength(1)
  })

  it('is forgotten where the client has its answer no more', async () => {
    const { s, next } = await begun()
    const other = [
      hi,
      ...(entry === 'gemini'
        ? [{ role: 'model', parts: [{ text: 'A summary.' }] }]
        : [{ role: 'assistant', content: 'A summary.' }]),
      more,
    ]
    expect(itemsOf(entry, (await next(other)).json)).toHaveLength(3)
    expect(await s.hiddenOf()).toEqual([])
  })

  it('stays where nothing but a beginning is asked about', async () => {
    const { s, next } = await begun()
    await next([hi])
    expect(await s.hiddenOf()).toHaveLength(1)
  })

  it('is nobody’s without a session', async () => {
    const { s, next, answer } = await begun({ sessionId: null })
    expect((await next([hi, ...answer, more])).body.toString()).not.toContain('seen call_a')
    expect([...s.files.content.keys()].filter((path) => path.includes('servertool-pending'))).toEqual([])
  })
})

describe('a client that names the response before', () => {
  it('goes on from the last round with its provider, and hidden calls of it get their results', async () => {
    const s = await roundsScene('responses', { tools: [lookTool()] })
    const hi = userItem('responses', 'Hi')
    const first = await s.ask(requestOf('responses', [hi]))
    ;(await s.upstream.round(1)).answer(calls)
    ;(await s.upstream.round(2)).answer({
      text: 'Two.',
      toolCalls: [
        { name: 'look', id: 'call_c', input: {} },
        { name: 'Read', id: 'call_d', input: { path: 'x' } },
      ],
    })
    await first.over
    expect(heardOf('responses', first.client.text).calls.map(({ id }) => id)).toEqual(['call_d'])
    const id = /"id":"(resp_\w+)"/.exec(first.client.text)?.[1]
    const next = await s.ask(
      requestOf('responses', [{ type: 'function_call_output', call_id: 'call_d', output: 'own' }], {
        previous_response_id: id,
      }),
    )
    const up = await s.upstream.round(3)
    expect(up.json['previous_response_id']).toBe('resp_mock2')
    expect(itemsOf('responses', up.json).map((item): unknown => JSON.parse(item))).toMatchObject([
      { call_id: 'call_c', output: 'seen call_c' },
      { call_id: 'call_d', output: 'own' },
    ])
    up.answer({ text: 'Three.' })
    await next.over
    expect(await s.hiddenOf()).toHaveLength(1)
  })
})

const list = (...names: string[]) => Buffer.from(JSON.stringify(names.map((name) => ({ name, about: `a ${name}` }))))

describe('lists of tools that are known', () => {
  it('tells whether a list holds a word as a string of its own, again and again', () => {
    const holdsAny = createKnownLists()
    for (let i = 0; i < 3; i++) {
      expect(holdsAny(list('read', 'clock'), ['clock', 'web_fetch'])).toBe(true)
      expect(holdsAny(list('read', 'clocks'), ['clock', 'web_fetch'])).toBe(false)
      expect(holdsAny(list('read', 'clocks'), ['clocks'])).toBe(true)
    }
  })

  it('looks at a list anew that is as long and another, also where the first was a part of memory used again', () => {
    const holdsAny = createKnownLists()
    const body = list('read', 'click')
    expect(holdsAny(body, ['clock'])).toBe(false)
    list('read', 'clock').copy(body)
    expect(holdsAny(body, ['clock'])).toBe(true)
  })

  it('asks again for other words, and in whatever way they are put together', () => {
    const holdsAny = createKnownLists()
    expect(holdsAny(list('ab'), ['a', 'b'])).toBe(false)
    expect(holdsAny(list('ab'), ['ab'])).toBe(true)
  })

  it('answers for more lists than it remembers, and for one that is too long to be remembered', () => {
    const holdsAny = createKnownLists()
    const long = list('read', 'x'.repeat(3 * 1024 * 1024))
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 40; i++) expect(holdsAny(list('read', `tool-${i}`), ['clock'])).toBe(false)
      expect(holdsAny(long, ['clock'])).toBe(false)
      expect(holdsAny(long, ['read'])).toBe(true)
      for (let i = 0; i < 40; i++) expect(holdsAny(list('clock', `tool-${i}`), ['clock'])).toBe(true)
    }
  })
})
