import { describe, expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { agents } from './index.ts'

const key = 'ok_local-key-0123456789'
const launch = (client: (typeof clientKinds)[number], args: string[] = ['--continue']) =>
  agents[client].launch({ baseUrl: 'http://127.0.0.1:5520', key, args, home: '/home/user/.onward' })

describe('starting a client', () => {
  it.each(clientKinds)(
    '%s: the key is in the environment and nowhere else, and the person’s own arguments come last',
    (client) => {
      const plan = launch(client)
      expect(plan.argv.join(' ')).not.toContain(key)
      expect(JSON.stringify(plan.files)).not.toContain(key)
      expect(Object.values(plan.env)).toContain(key)
      expect(plan.argv.at(-1)).toBe('--continue')
    },
  )

  it('Claude Code by its base URL without /v1', () => {
    expect(launch('claude')).toEqual({
      argv: ['claude', '--continue'],
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520', ANTHROPIC_AUTH_TOKEN: key },
      files: [],
    })
  })

  it('Claude Code with its own login, where a provider takes that: the key is in the address', () => {
    const input = { baseUrl: 'http://127.0.0.1:5520', key, args: [], home: '/home/user/.onward', keepsLogin: true }
    expect(agents.claude.launch(input).env).toEqual({ ANTHROPIC_BASE_URL: `http://127.0.0.1:5520/t/${key}` })
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

  it('Qwen Code by OpenAI variables and its auth type', () => {
    expect(launch('qwen').argv.slice(0, 3)).toEqual(['qwen', '--auth-type', 'openai'])
    expect(launch('qwen').env).toMatchObject({ OPENAI_BASE_URL: 'http://127.0.0.1:5520/v1', OPENAI_API_KEY: key })
  })

  it('Copilot CLI by a provider of its own', () => {
    expect(launch('copilot').env).toEqual({
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:5520/v1',
      COPILOT_PROVIDER_API_KEY: key,
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
    expect(files[0]?.path.startsWith('/home/user/.onward/')).toBe(true)
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
