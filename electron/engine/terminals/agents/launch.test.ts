import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clientKinds } from '../../../../shared/words.ts'
import { signalCommand } from '../signals/signals.ts'
import { besideProxy } from './beside-proxy.ts'
import { agents } from './index.ts'

const key = 'ok_local-key-0123456789'
const input = {
  baseUrl: 'http://127.0.0.1:5520',
  key,
  folder: '/home/user/.onward/launch/t1',
  cwd: '/home/user/work',
  platform: 'linux' as NodeJS.Platform,
  root: false,
  read: (_path: string): string | null => null,
}
const launch = (
  client: (typeof clientKinds)[number],
  args: string[] = ['--continue'],
  more: Partial<Parameters<(typeof agents)['claude']['launch']>[0]> = {},
) => agents[client].launch({ ...input, args, ...more })
const settingsOf = (plan: ReturnType<typeof launch>) =>
  JSON.parse(plan.files[0]?.content ?? '') as Record<string, unknown> & { env: Record<string, unknown> }

const hints = { CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1' }

describe('starting a client', () => {
  it.each(clientKinds)(
    '%s: the key is in the environment and never in argv, and the person’s own arguments come last',
    (client) => {
      const plan = launch(client)
      expect(plan.argv.join(' ')).not.toContain(key)
      for (const { path } of plan.files) expect(path.startsWith(`${input.folder}/`)).toBe(true)
      expect(Object.values(plan.env)).toContain(key)
      expect(plan.argv.at(-1)).toBe('--continue')
    },
  )

  it('Claude Code by settings that win over a person’s and a project’s', () => {
    const plan = launch('claude')
    const path = `${input.folder}/claude-settings.json`
    expect(plan.argv).toEqual(['claude', '--settings', path, '--continue'])
    const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520', ANTHROPIC_AUTH_TOKEN: key, ...hints }
    expect(plan.env).toEqual(env)
    expect(plan.files).toHaveLength(1)
    expect(plan.files[0]?.path).toBe(path)
    expect(settingsOf(plan)).toMatchObject({
      apiKeyHelper: '',
      env: { ...env, ANTHROPIC_API_KEY: '', CLAUDE_CODE_USE_BEDROCK: '', CLAUDE_CODE_USE_VERTEX: '' },
    })
  })

  it('Claude Code with its own login, where a provider takes that: the key is in the address', () => {
    const plan = launch('claude', [], { keepsLogin: true })
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:5520/t/${key}`, ...hints }
    expect(plan.env).toEqual(env)
    const settings = settingsOf(plan)
    expect(settings.env).toMatchObject(env)
    for (const name of ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY']) expect(settings.env).not.toHaveProperty(name)
    expect(settings).not.toHaveProperty('apiKeyHelper')
  })

  const persons = { model: 'sonnet', env: { A: 'b', ANTHROPIC_BASE_URL: 'http://else.example' } }
  it.each([
    ['as text', ['--settings', JSON.stringify(persons)], null],
    ['behind a sign', [`--settings=${JSON.stringify(persons)}`], null],
    ['in a file', ['--settings', 'mine.json'], JSON.stringify(persons)],
    ['the last of two', ['--settings', '{"model":"opus"}', '--settings', JSON.stringify(persons)], null],
  ])('Claude Code takes a person’s own --settings along: %s', (_, args, file) => {
    const plan = launch('claude', [...args, '-p', 'go'], { read: (path) => (path === 'mine.json' ? file : null) })
    expect(plan.argv.slice(-2)).toEqual(['-p', 'go'])
    expect(plan.argv).not.toContain('mine.json')
    expect(plan.argv.join(' ')).not.toContain('else.example')
    expect(settingsOf(plan)).toMatchObject({ model: 'sonnet', env: { A: 'b', ANTHROPIC_BASE_URL: input.baseUrl } })
  })

  describe('Claude Code’s hooks', () => {
    const hooked = { signalFile: '/home/ada’s/launch/signals' }
    const commands = (settings: Record<string, unknown>, event: string) =>
      z
        .record(z.string(), z.array(z.object({ hooks: z.array(z.looseObject({ command: z.string() })) })))
        .parse(settings['hooks'])
        [event]?.flatMap(({ hooks }) => hooks.map(({ command }) => command)) ?? []

    it('tell Onward, with the key from the environment alone', () => {
      const plan = launch('claude', [], hooked)
      const settings = settingsOf(plan)
      expect(Object.keys(settings['hooks'] ?? {})).toEqual(['Stop', 'PermissionRequest', 'SessionEnd'])
      expect(commands(settings, 'Stop')).toEqual([signalCommand(hooked.signalFile, 'rests')])
      expect(JSON.stringify(settings['hooks'])).not.toContain(key)
      expect(plan.env).toMatchObject({ ONWARD_KEY: key })
    })

    it('come beside those of a person’s own --settings', () => {
      const own = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }], Notification: [] } }
      const settings = settingsOf(launch('claude', ['--settings', JSON.stringify(own)], hooked))
      expect(commands(settings, 'Stop')).toEqual(['mine', signalCommand(hooked.signalFile, 'rests')])
      expect(settings['hooks']).toHaveProperty('Notification', [])
    })

    it.each([
      ['switched off', [], {}],
      ['on Windows', [], { ...hooked, platform: 'win32' as const }],
      ['where the person’s own are not what they should be', ['--settings', '{"hooks":"x"}'], hooked],
    ])('are none %s', (_, args, more) => {
      const plan = launch('claude', args, more)
      expect(JSON.stringify(settingsOf(plan))).not.toContain('signals')
      expect(plan.env).not.toHaveProperty('ONWARD_KEY')
    })
  })

  it('Claude Code says itself what is wrong with settings it can’t take', () => {
    expect(launch('claude', ['--settings', '{nonsense']).argv.slice(-2)).toEqual(['--settings', '{nonsense'])
    expect(launch('claude', ['--', '--settings', '{}']).argv.slice(-3)).toEqual(['--', '--settings', '{}'])
  })

  it.each([
    ['claude', ['/etc/claude-code/managed-settings.json', '{"env":{"CLAUDE_CODE_USE_VERTEX":"1"}}'], []],
    ['codex', ['/etc/codex/managed_config.toml', 'model = "m"\nmodel_provider = "azure"\n'], []],
  ] as const)('%s: what an administrator set wins, and is told of', (client, [path, content], args) => {
    expect(launch(client, [...args], { read: (asked) => (asked === path ? content : null) }).elsewhere).toEqual([path])
    expect(launch(client, [...args]).elsewhere).toEqual([])
  })

  it('Gemini CLI gets hooks where it reads them, by a name, and its key stands in none', () => {
    const hooked = { signalFile: '/home/ada/launch/signals', root: true }
    const plan = launch('gemini', [], hooked)
    const { hooks } = JSON.parse(plan.files[0]?.content ?? '')
    expect(Object.keys(hooks)).toEqual(['AfterAgent', 'Notification', 'SessionEnd'])
    const [
      {
        hooks: [hook],
      },
    ] = hooks.AfterAgent
    expect(hook).toMatchObject({ type: 'command', name: 'onward' })
    // It would put a variable's value in there itself.
    expect(hook.command).not.toMatch(/\$\{?\w/)
    expect(JSON.stringify(hooks)).not.toContain(key)
    expect(plan.env).toMatchObject({ ONWARD_KEY: key })
    expect(launch('gemini', [], { ...hooked, root: false }).files[0]?.content).not.toContain('signals')
  })

  it('Gemini CLI passes over settings that are not root’s: another login of the person’s is told of', () => {
    const text = '{ "security": { "auth": { "selectedType": "oauth-personal" } } } // mine'
    const read = (path: string) => (path === '~/.gemini/settings.json' ? text : null)
    expect(launch('gemini', [], { read }).elsewhere).toEqual(['~/.gemini/settings.json'])
    expect(launch('gemini', [], { read, root: true }).elsewhere).toEqual([])
    expect(launch('gemini', [], { read: () => '{"selectedType": "gemini-api-key"}' }).elsewhere).toEqual([])
  })

  it.each([
    ['codex', ['-c', 'model_provider="b"']],
    ['codex', ['exec', '--config=model_providers.onward.base_url="http://b"', 'go']],
    ['codex', ['--oss']],
    ['qwen', ['--openai-base-url', 'http://b']],
    ['kimi', ['-m', 'other']],
  ] as const)('%s: an argument of the person’s that wins is told of: %j', (client, args) => {
    expect(launch(client, [...args]).elsewhere).toHaveLength(1)
    expect(launch(client, ['--', ...args.slice(1)]).elsewhere).toEqual([])
  })

  it('Codex by overrides for this process, with an app-server of its own', () => {
    const { argv, env } = launch('codex', ['resume', '--last'])
    expect(argv).toEqual([
      'codex',
      '-c',
      'model_provider="onward"',
      '-c',
      'model_providers.onward={name="Onward",base_url="http://127.0.0.1:5520/v1",' +
        'wire_api="responses",env_key="ONWARD_KEY"}',
      '-c',
      'features.daemon_auto_start=false',
      '-c',
      'shell_environment_policy.set.ONWARD_KEY=""',
      'resume',
      '--last',
    ])
    expect(env).toEqual({ ONWARD_KEY: key })
  })

  it('opencode by a configuration that reads the key from the environment', () => {
    const config: unknown = JSON.parse(launch('opencode').env.OPENCODE_CONFIG_CONTENT ?? '')
    expect(config).toMatchObject({
      provider: {
        onward: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: 'http://127.0.0.1:5520/v1', apiKey: '{env:ONWARD_KEY}' },
        },
      },
    })
  })

  it.each(['opencode', 'kilo'] as const)('%s: no other provider is called', (client) => {
    const { env } = launch(client)
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? env.KILO_CONFIG_CONTENT ?? '')).toMatchObject({
      enabled_providers: ['onward'],
      disabled_providers: [],
      agent: { plan: { model: 'onward/default' } },
    })
  })

  it('Qwen Code by the settings of the system, which win over modelProviders of its own', () => {
    const plan = launch('qwen')
    expect(plan.argv.slice(0, 3)).toEqual(['qwen', '--auth-type', 'openai'])
    expect(plan.env).toEqual({ ONWARD_KEY: key, QWEN_CODE_SYSTEM_SETTINGS_PATH: plan.files[0]?.path })
    expect(settingsOf(plan)).toMatchObject({
      model: { name: 'default' },
      modelProviders: { openai: [{ id: 'default', baseUrl: 'http://127.0.0.1:5520/v1', envKey: 'ONWARD_KEY' }] },
    })
    expect(plan.files[0]?.content).not.toContain(key)
  })

  it('Copilot CLI by a provider of its own', () => {
    expect(launch('copilot').env).toEqual({
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:5520/v1',
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_PROVIDER_BEARER_TOKEN: '',
      COPILOT_MODEL: 'default',
    })
  })

  it('Kimi Code by a model of its environment', () => {
    expect(launch('kimi').env).toEqual({
      KIMI_MODEL_NAME: 'default',
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: 'http://127.0.0.1:5520/v1',
      KIMI_MODEL_API_KEY: key,
    })
  })

  it('Kilo Code by a configuration that reads the key from the environment', () => {
    const { env } = launch('kilo')
    expect(env.ONWARD_KEY).toBe(key)
    expect(env.KILO_CONFIG_CONTENT).toContain('"apiKey":"{env:ONWARD_KEY}"')
  })

  it('Gemini CLI by a settings file below the Onward home', () => {
    const { env, files } = launch('gemini')
    expect(files).toHaveLength(1)
    expect(env.GEMINI_CLI_SYSTEM_SETTINGS_PATH).toBe(files[0]?.path)
    expect(files[0]?.content).toContain('"enforcedType": "gemini-api-key"')
  })

  it('any other program by the variables of both vendors', () => {
    expect(launch('other', ['python3', 'agent.py'])).toMatchObject({
      argv: ['python3', 'agent.py'],
      env: {
        OPENAI_BASE_URL: 'http://127.0.0.1:5520/v1',
        OPENAI_API_KEY: key,
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520',
        ANTHROPIC_API_KEY: key,
      },
    })
  })
})

describe('a proxy of the person’s', () => {
  it.each([
    [{}, '127.0.0.1,localhost,::1'],
    [{ NO_PROXY: 'corp.example, 127.0.0.1', no_proxy: 'a' }, 'a,corp.example,127.0.0.1,localhost,::1'],
  ])('gets no call to Onward, and no other one that it had not: %j', (env, list) => {
    expect(besideProxy(env)).toEqual({ no_proxy: list, NO_PROXY: list })
  })
})
