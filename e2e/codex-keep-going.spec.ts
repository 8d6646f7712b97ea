import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installAgents } from './support/agents.ts'
import { startCodex } from './support/codex.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'

const followup = 'continue with the next item'
const task = `Write the three parts. <**stopMessage:"${followup}",3**>`

describe.skipIf(tmuxMissing)('a real Codex is kept going', () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux

  beforeAll(() => { installAgents() })
  beforeEach(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('One part is written.')
    engine = await startEngine({ config: { providers: { mock: { type: 'openai-responses', baseUrl: `${mock.baseUrl}/v1`, keys: [{ alias: 'main', value: 'mock-key' }], models: { 'mock-model': {} } } }, routes: { default: ['mock.mock-model'] } } })
    tmux = startTmux()
  })
  afterEach(async () => {
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
  })
  afterAll(removeHomes)

  for (const how of ['pane', 'wrapped'] as const) {
    it(`three followups are typed, submitted and confirmed by receipt (${how === 'pane' ? 'tmux pane' : 'own PTY'})`, async () => {
      const codex = await startCodex({ engine, tmux, session: 'work', how })
      await codex.say(task)
      const session = await engine.control.session((s) => s.stopMessage?.status.kind === 'done', 90_000).catch((error: unknown) => { throw new Error(`${String(error)}\n${codex.screen()}\n${JSON.stringify(engine.control.events.slice(-8), null, 1)}`) })
      expect(session.stopMessage).toMatchObject({ used: 3, max: 3, status: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } } })
      expect(session).toMatchObject({ client: 'codex', shape: 'done' })

      const texts = mock.turns().map((r) => r.lastUserText)
      expect(texts).toEqual(['Write the three parts. ', followup, followup, followup].map((t) => expect.stringMatching(new RegExp(`^${t.trim()}\\s*$`))))
      for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
      expect(mock.problems).toEqual([])

      const confirmed = engine.control.events.filter((e) => e.body.type === 'confirmed')
      expect(confirmed).toHaveLength(3)
      expect(engine.control.notices.map((n) => n.class)).toEqual(['goal-reached'])
      // Nothing more comes: the state is cleared.
      const turns = mock.turns().length
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      expect(mock.turns()).toHaveLength(turns)
    })
  }
})
