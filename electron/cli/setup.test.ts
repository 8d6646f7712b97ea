import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import type { AgentSetup, FoundAccess } from '../../shared/setup/first-run.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

const access = (more: Partial<FoundAccess>): FoundAccess => ({
  id: 'env:deepseek:env',
  tool: 'env',
  where: 'DEEPSEEK_API_KEY',
  name: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com/v1',
  type: 'openai-chat',
  use: { how: 'env', name: 'DEEPSEEK_API_KEY' },
  writes: '',
  added: null,
  ...more,
})
const claude: AgentSetup = {
  client: 'claude',
  kind: 'possible',
  fingerprint: 'f',
  files: [
    {
      path: '~/.claude/settings.json',
      fresh: false,
      lines: [
        { kind: 'same', text: '{' },
        { kind: 'added', text: '  "env": {}' },
        { kind: 'removed', text: '  "old": 1' },
      ],
    },
  ],
}
const done: string[] = []
const api = (more: Partial<ControlApi> = {}): Partial<ControlApi> => ({
  status: async () => sampleStatus({ simulator: true }),
  foundAccess: async () => [
    access({}),
    access({ id: 'codex:openai:key', where: '~/.codex/auth.json', name: 'OpenAI', use: { how: 'copy' } }),
    access({ id: 'codex:ChatGPT:none', name: 'ChatGPT', use: { how: 'none', why: 'own-login' } }),
  ],
  agents: async () => [{ client: 'claude', path: '/bin/claude', version: '2.1.330', standing: { kind: 'verified' } }],
  agentSetups: async () => [claude],
  useAccess: async (id) => {
    done.push(`use ${id}`)
    return 'deepseek'
  },
  tryProvider: async () => ({
    test: { kind: 'answered', model: 'deepseek-chat', key: 'main', ttfbMs: 1, tookMs: 1, models: [] },
    routed: 'deepseek.deepseek-chat',
  }),
  setUpAgent: async ({ client }) => {
    done.push(`set up ${client}`)
  },
  undoAgentSetup: async (client) => {
    done.push(`undo ${client}`)
  },
  ...more,
})
const person = { tty: { in: true, out: true, err: true, columns: 80 } }

describe('onward setup', () => {
  it('lists what is on the machine, and what using it means', async () => {
    const { code, out } = await against(api(), ['setup', '--list'])
    expect(code).toBe(0)
    expect(out).toContain('the config names DEEPSEEK_API_KEY')
    expect(out).toContain('a login that only its own tool can use')
    expect(out).toContain('claude 2.1.330 start it with onward claude')
    const { out: json } = await against(api(), ['setup', '--list', '--json'])
    expect(JSON.parse(json)).toMatchObject({
      access: [{ id: 'env:deepseek:env' }, {}, {}],
      setups: [{ client: 'claude' }],
    })
  })

  it('names a variable without a person, and copies a key only with one', async () => {
    done.length = 0
    const { out } = await against(api(), ['setup', '--use', 'env:deepseek:env'])
    expect(out).toContain('deepseek answered with deepseek-chat. Everything goes to deepseek.deepseek-chat.')
    const refused = await against(api(), ['setup', '--use', 'codex:openai:key'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('needs a person')
    expect(done).toEqual(['use env:deepseek:env'])
    expect((await against(api(), ['setup', '--use', 'nothing'])).err).toContain('There is no nothing on this machine')
  })

  it('shows what changes in an agent’s file, and changes it after a yes', async () => {
    done.length = 0
    const no = await against(api(), ['setup', '--agent', 'claude'], { ...person, askYesNo: () => false })
    expect(no.out).toContain('+   "env": {}')
    expect(no.code).not.toBe(0)
    expect(done).toEqual([])
    const yes = await against(api(), ['setup', '--agent', 'claude'], { ...person, askYesNo: () => true })
    expect(yes.out).toContain('onward setup --undo claude')
    await against(api(), ['setup', '--undo', 'claude'])
    expect(done).toEqual(['set up claude', 'undo claude'])
  })

  it('goes step by step, and a no is no end', async () => {
    done.length = 0
    const asked: string[] = []
    const { code, out } = await against(api(), ['setup'], {
      ...person,
      askYesNo(question) {
        asked.push(question)
        return question.startsWith('Show') ? true : question.startsWith('Use DeepSeek')
      },
    })
    expect(code).toBe(0)
    expect(asked).toHaveLength(5)
    expect(out).toContain('Nothing was changed.')
    expect(done).toEqual(['use env:deepseek:env'])
  })

  it('asks nobody where nobody is', async () => {
    expect((await against(api(), ['setup'])).err).toContain('a person at a terminal')
  })
})
