/** `onward acp` between the SDK's own client and real agents, over a mocked provider. */
import { describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { startAcpEditor, type AcpAgentWords, type AcpEditor } from './support/acp-editor.ts'
import { eachTest } from './support/each-test.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { fail, gate, say, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { realAgents } from './support/real/index.ts'

const gemini: AcpAgentWords = { agent: realAgents.gemini, words: ['gemini', '--acp'] }
const qwen: AcpAgentWords = { agent: realAgents.qwen, words: ['qwen', '--acp'] }
const opencode: AcpAgentWords = { agent: realAgents.opencode, words: ['opencode', 'acp'] }

interface World {
  mock: MockUpstream
  engine: EngineProcess
  editor: AcpEditor
}

describe('an agent that an editor drives over ACP', unless(notOnLinux), () => {
  const each = eachTest()

  async function world(how: AcpAgentWords): Promise<World> {
    const mock = await each.mock({ auxiliary: 'may-script' })
    mock.otherwise = say('One part is written.')
    const { provider } = how.agent
    const engine = await each.engine({
      config: {
        providers: {
          mock: {
            type: provider,
            baseUrl: provider.startsWith('openai-') ? `${mock.baseUrl}/v1` : mock.baseUrl,
            keys: [{ alias: 'main', value: 'mock-key' }],
            models: { 'mock-model': {} },
          },
        },
      },
    })
    const editor = await startAcpEditor(engine, how)
    each.ends(() => editor.close())
    return { mock, engine, editor }
  }
  const asked = (mock: MockUpstream) => mock.turns().map(({ lastUserText }) => lastUserText?.trim().split('\n').at(-1))

  it.each([gemini, qwen, opencode])('goes on for three rounds ($agent.name)', async (how) => {
    const { mock, engine, editor } = await world(how)
    const { stopReason } = await editor.prompt('Write all parts. <**stopMessage:"Write the next part.",3**>')
    expect(stopReason).toBe('end_turn')
    await engine.control.event('done', undefined, 60_000)
    await nothingMore(mock, engine)
    expect(asked(mock)).toEqual(['Write all parts.', ...Array.from({ length: 3 }, () => 'Write the next part.')])
    expect(editor.shown).toEqual([
      { who: 'agent', text: 'One part is written.' },
      ...Array.from({ length: 3 }, () => [
        { who: 'user', text: 'Write the next part.' },
        { who: 'agent', text: 'One part is written.' },
      ]).flat(),
    ])
    expect(mock.problems).toEqual([])
  })
})
