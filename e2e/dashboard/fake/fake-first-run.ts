/** The first minute of the fake engine: a machine with a few sign-ins and agents. For development and tests only. */
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { AgentSetup, FoundAccess } from '../../../shared/setup/first-run.ts'

const access: readonly FoundAccess[] = [
  {
    id: 'env:deepseek:env',
    tool: 'env',
    where: 'DEEPSEEK_API_KEY',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    type: 'openai-chat',
    use: { how: 'env', name: 'DEEPSEEK_API_KEY' },
    writes: '"deepseek": {\n  "type": "openai-chat"\n}',
    added: null,
  },
  {
    id: 'claude:anthropic:login',
    tool: 'claude',
    where: '~/.claude/.credentials.json',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    type: 'anthropic',
    use: { how: 'login' },
    writes: '"anthropic": {\n  "type": "anthropic",\n  "auth": "client"\n}',
    added: null,
  },
]
const setups: readonly AgentSetup[] = [
  {
    client: 'claude',
    kind: 'possible',
    fingerprint: 'a',
    files: [
      {
        path: '~/.claude/settings.json',
        fresh: false,
        lines: [
          { kind: 'same', text: '{' },
          { kind: 'same', text: '  "model": "sonnet",' },
          { kind: 'added', text: '  "env": {' },
          { kind: 'added', text: '    "ANTHROPIC_BASE_URL": "http://127.0.0.1:5520"' },
          { kind: 'added', text: '  },' },
          { kind: 'same', text: '}' },
        ],
      },
    ],
  },
]

export function fakeFirstRun() {
  return {
    foundAccess: async () => access,
    useAccess: async () => 'deepseek',
    async tryProvider(id) {
      return {
        test: { kind: 'answered', model: 'deepseek-chat', key: 'main', ttfbMs: 410, tookMs: 620, models: [] },
        routed: `${id}.deepseek-chat`,
      }
    },
    agentSetups: async () => setups,
    setUpAgent: async () => {},
    undoAgentSetup: async () => {},
  } satisfies Partial<ControlApi>
}
