/** Agents whose settings lead their calls elsewhere come through Onward, or Onward says that they do not. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { projectsOf } from '../support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import { agentWorld } from '../support/real/world.ts'
import { tmuxMissing } from '../support/tmux.ts'

let elsewhere: MockUpstream
beforeEach(async () => {
  elsewhere = await startMockUpstream({ auxiliary: 'may-script' })
  elsewhere.otherwise = say('Elsewhere a part is written.')
})
afterEach(() => elsewhere.dispose())

type Settings = (address: string) => Readonly<Record<string, unknown>>
/** Files of a project that point its agent at another address: what a plan's or a router's setup writes. */
const settingsOf: Readonly<Record<'claude' | 'codex' | 'opencode' | 'gemini' | 'qwen', Settings>> = {
  claude: (address) => ({
    '.claude/settings.json': {
      apiKeyHelper: 'echo helper',
      env: { ANTHROPIC_BASE_URL: address, ANTHROPIC_AUTH_TOKEN: 'plan', ANTHROPIC_API_KEY: 'sk-plan' },
    },
    '.claude/settings.local.json': { env: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'us-east-1' } },
  }),
  codex: (address) => ({
    '.codex/config.toml':
      `model_provider = "plan"\n[model_providers.plan]\nname = "Plan"\nbase_url = "${address}/v1"\n` +
      'wire_api = "responses"\n',
  }),
  opencode: (address) => ({
    'opencode.json': {
      model: 'plan/m',
      enabled_providers: ['plan'],
      disabled_providers: ['onward'],
      agent: { build: { model: 'plan/m' } },
      provider: {
        plan: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${address}/v1`, apiKey: 'plan' },
          models: { m: {} },
        },
      },
    },
  }),
  gemini: (address) => ({
    '.env': `GOOGLE_GEMINI_BASE_URL=${address}\nGEMINI_API_KEY=plan\n`,
  }),
  qwen: (address) => ({
    '.qwen/settings.json': {
      model: { name: 'm' },
      modelProviders: { openai: ['m', 'default'].map((id) => ({ id, baseUrl: `${address}/v1`, envKey: 'PLAN' })) },
      env: { PLAN: 'plan' },
    },
    '.env': `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=plan\n`,
  }),
}

const kinds = { claude: 'wrapped', codex: 'pane', opencode: 'hosted', gemini: 'wrapped', qwen: 'pane' } as const
for (const client of Object.keys(kinds) as (keyof typeof kinds)[]) {
  const agent = realAgents[client]
  describe(`a real ${agent.name}`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld(agent)

    it('comes through Onward, whatever a project’s settings say', async () => {
      for (const [name, content] of Object.entries(settingsOf[client](elsewhere.baseUrl))) {
        const path = join(projectsOf(world.engine.home), 'work', name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      }
      const person = await world.start(agent, { how: kinds[client] })
      await person.say('Write the parts.')
      await person.shows('One part is written.')
      expect(elsewhere.requests).toEqual([])
      expect(world.mock.turns().length).toBeGreaterThan(0)
    })
  })
}

describe(
  'a real Codex that a person sends elsewhere',
  unless(firstOf(tmuxMissing, agentMissing(realAgents.codex))),
  () => {
    const world = agentWorld(realAgents.codex)

    it('is told of before its start, and by row and doctor once it has answered', async () => {
      const plan = `model_providers.plan={name="Plan",base_url="${elsewhere.baseUrl}/v1",wire_api="responses"}`
      const quoted = (text: string) => `'${text}'`
      const args = ['-c', quoted('model_provider="plan"'), '-c', quoted(plan)]
      const person = await world.start(realAgents.codex, { how: 'pane', args })
      await person.say('Write the parts.')
      await person.shows('Elsewhere a part is written.')
      const { api } = world.engine.control
      await waitFor(
        'the row to say so',
        async () => {
          const [terminal] = await api.terminals.query()
          const said = terminal?.fresh?.say
          return said?.code === 'needs-you' && said.what === 'calls-elsewhere'
        },
        120_000,
      )
      const findings = await api.doctor.query()
      expect(findings.filter(({ fact }) => fact?.code === 'calls-elsewhere')).toMatchObject([{ ok: false }])
      expect(world.mock.turns()).toEqual([])
    })
  },
)
