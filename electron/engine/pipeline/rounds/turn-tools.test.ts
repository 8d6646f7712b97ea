import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../../shared/words.ts'
import { codecOf } from '../../protocol/index.ts'
import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import { calledTool } from '../../servertools/testing/tools.ts'
import type { CalledTool } from '../../servertools/types.ts'
import { requestOf, userItem } from '../testing/client-view.ts'
import { roundsScene, type SceneOptions } from '../testing/rounds-scene.ts'

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
    ['are none in a compaction before there is a list', { kind: 'compaction' }, ['Read'], ['Read']],
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
