import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accessView, findAccess, type UsedProvider } from './find-access.ts'
import type { DiscoveryContext } from './types.ts'
import { providerOf } from './written.ts'

const home = '/home/ada'
const machine = (
  files: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): DiscoveryContext => ({
  env,
  home,
  async read(path) {
    const found = Object.entries(files).find(([name]) => join(home, name) === path)?.[1]
    return found === undefined ? null : typeof found === 'string' ? found : JSON.stringify(found)
  },
  isOwn: (url) => url.includes('127.0.0.1:5520'),
})
const shown = async (at: DiscoveryContext, used: readonly UsedProvider[] = []) =>
  (await findAccess(at)).map((found) => accessView(found, home, used))

describe('ways to models on this machine', () => {
  it('are none where there is nothing', async () => {
    expect(await findAccess(machine({}))).toEqual([])
  })

  it('names the variable of a key, and copies nothing', async () => {
    const at = machine({}, { DEEPSEEK_API_KEY: 'sk-deepseek-0123456789' })
    expect(await shown(at)).toMatchObject([
      { tool: 'env', where: 'DEEPSEEK_API_KEY', name: 'DeepSeek', use: { how: 'env', name: 'DEEPSEEK_API_KEY' } },
    ])
    const [found] = await findAccess(at)
    expect(found && providerOf(found, 'deepseek-main')).toEqual({
      type: 'openai-chat',
      baseUrl: 'https://api.deepseek.com/v1',
      keys: [{ alias: 'main', env: 'DEEPSEEK_API_KEY' }],
    })
  })

  it('sends a key with an address beside it to that address only', async () => {
    const env = { ANTHROPIC_AUTH_TOKEN: 'glm-key-0123456789', ANTHROPIC_BASE_URL: 'https://glm.example/anthropic/' }
    const [found] = await findAccess(machine({}, env))
    expect(found && providerOf(found, '')).toEqual({
      type: 'anthropic',
      baseUrl: 'https://glm.example/anthropic',
      keys: [{ alias: 'main', env: 'ANTHROPIC_AUTH_TOKEN' }],
      quirks: { authHeader: 'bearer' },
    })
  })

  it('leaves out what points at Onward itself, placeholders, and addresses with a password', async () => {
    const own = { ANTHROPIC_API_KEY: 'owk_0123456789abcdefghij', ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520' }
    expect(await findAccess(machine({}, own))).toEqual([])
    expect(await findAccess(machine({}, { OPENAI_API_KEY: 'your-key-goes-here' }))).toEqual([])
    const password = { OPENAI_API_KEY: 'sk-0123456789', OPENAI_BASE_URL: 'https://ada:secret@gateway.example/v1' }
    expect(await findAccess(machine({}, password))).toEqual([])
  })

  it('lets the login of Claude Code through, from its file or where only the account is known', async () => {
    const files = { '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'sk-ant-oat01-secret' } } }
    expect(await shown(machine(files))).toMatchObject([
      { tool: 'claude', where: '~/.claude/.credentials.json', use: { how: 'login' }, name: 'Anthropic' },
    ])
    const [found] = await findAccess(machine(files))
    expect(found && providerOf(found, '')).toEqual({
      type: 'anthropic',
      baseUrl: 'https://api.anthropic.com',
      auth: 'client',
    })
    const keychain = { '.claude.json': { oauthAccount: { accountUuid: '0000' } } }
    expect(await shown(machine(keychain))).toMatchObject([{ where: '~/.claude.json', use: { how: 'login' } }])
  })

  it('finds another address in the settings of Claude Code, with its model', async () => {
    const env = {
      ANTHROPIC_BASE_URL: 'https://api.z.ai/api/anthropic',
      ANTHROPIC_AUTH_TOKEN: 'zai-0123456789',
      ANTHROPIC_MODEL: 'glm-5',
    }
    const [found] = await findAccess(machine({ '.claude/settings.json': { env } }))
    expect(found && providerOf(found, 'zai-anthropic-main')).toEqual({
      type: 'anthropic',
      baseUrl: 'https://api.z.ai/api/anthropic',
      keys: [{ alias: 'main', secretRef: 'zai-anthropic-main' }],
      models: { 'glm-5': {} },
      quirks: { authHeader: 'bearer' },
    })
  })

  it('reads Codex: a key, a sign-in that only it can use, a provider by its variable', async () => {
    const toml = [
      'model = "glm-5"',
      'model_provider = "glm"',
      '[model_providers.glm] # ours',
      'name = "GLM"',
      'base_url = "https://glm.example/v1"',
      'env_key = "GLM_KEY"',
      'wire_api = "responses"',
    ].join('\n')
    const auth = { OPENAI_API_KEY: 'sk-proj-0123456789', tokens: { access_token: 'secret', refresh_token: 'secret' } }
    const at = machine({ '.codex/auth.json': auth, '.codex/config.toml': toml }, { GLM_KEY: 'glm-0123456789' })
    expect(await shown(at)).toMatchObject([
      { name: 'OpenAI', use: { how: 'copy' }, where: '~/.codex/auth.json' },
      { name: 'ChatGPT', use: { how: 'none', why: 'own-login' }, writes: null },
      { name: 'glm.example', use: { how: 'env', name: 'GLM_KEY' }, type: 'openai-responses' },
    ])
  })

  it('reads opencode: kept keys, sign-ins, and providers of its config', async () => {
    const at = machine({
      '.local/share/opencode/auth.json': {
        openrouter: { type: 'api', key: 'sk-or-0123456789' },
        anthropic: { type: 'oauth', refresh: 'secret' },
        unheard: { type: 'api', key: 'sk-0123456789' },
      },
      '.config/opencode/opencode.jsonc': `{
        // mine
        "provider": { "local": { "npm": "@ai-sdk/openai-compatible", "options": {
          "baseURL": "https://models.example/v1", "apiKey": "models-0123456789" }, "models": { "m-1": {} }, } },
      }`,
    })
    expect(await shown(at)).toMatchObject([
      { name: 'OpenRouter', use: { how: 'copy' } },
      { name: 'Anthropic', use: { how: 'none', why: 'own-login' } },
      { name: 'models.example', use: { how: 'copy' }, where: '~/.config/opencode/opencode.jsonc' },
    ])
  })

  it('reads Gemini CLI and Qwen Code', async () => {
    const at = machine({
      '.gemini/.env': 'export GEMINI_API_KEY="AIza-0123456789" # mine\n',
      '.gemini/oauth_creds.json': { refresh_token: 'secret' },
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai', apiKey: 'qwen-0123456789', baseUrl: 'https://qwen.example/v1' } },
        model: { name: 'qwen3-coder-plus' },
      },
      '.qwen/oauth_creds.json': { access_token: 'secret' },
    })
    expect(await shown(at)).toMatchObject([
      { tool: 'gemini', name: 'Google Gemini', use: { how: 'copy' } },
      { tool: 'gemini', name: 'Google', use: { how: 'none' } },
      { tool: 'qwen', name: 'qwen.example', use: { how: 'copy' } },
      { tool: 'qwen', name: 'Qwen', use: { how: 'none' } },
    ])
  })

  it('reads claude-code-router, whose addresses end with the path of a call', async () => {
    const Providers = [
      {
        name: 'openrouter',
        api_base_url: 'https://openrouter.ai/api/v1/chat/completions',
        api_key: 'sk-or-0123456789',
        models: ['z-ai/glm-5'],
      },
      {
        name: 'ds',
        api_base_url: 'https://api.deepseek.com/chat/completions',
        api_key: '$DS',
        models: ['deepseek-chat'],
      },
    ]
    const at = machine({ '.claude-code-router/config.json': { Providers } }, { DS: 'sk-ds-0123456789' })
    expect(await shown(at)).toMatchObject([
      { name: 'OpenRouter', use: { how: 'copy' } },
      { name: 'DeepSeek', use: { how: 'env', name: 'DS' } },
    ])
    const [first] = await findAccess(at)
    expect(first && providerOf(first, 'x')?.models).toEqual({ 'z-ai/glm-5': {} })
  })

  it('reads cc-switch, and says that its database is closed to it', async () => {
    const claude = {
      providers: {
        a: {
          name: 'Kimi',
          settingsConfig: {
            env: { ANTHROPIC_BASE_URL: 'https://api.moonshot.ai/anthropic', ANTHROPIC_AUTH_TOKEN: 'kimi-0123456789' },
          },
        },
      },
    }
    expect(await shown(machine({ '.cc-switch/config.json': { version: 2, claude } }))).toMatchObject([
      { tool: 'cc-switch', name: 'Moonshot Kimi (Messages)', use: { how: 'copy' } },
    ])
    expect(await shown(machine({ '.cc-switch/cc-switch.db': 'SQLite format 3' }))).toMatchObject([
      { where: '~/.cc-switch/cc-switch.db', use: { how: 'none', why: 'database' } },
    ])
  })

  it('counts one key once, and says which provider has it already', async () => {
    const at = machine(
      { '.codex/auth.json': { OPENAI_API_KEY: 'sk-proj-0123456789' } },
      { OPENAI_API_KEY: 'sk-proj-0123456789' },
    )
    const used = [
      { id: 'mine', baseUrl: 'https://api.openai.com/v1', auth: 'key' as const, keys: ['sk-proj-0123456789'] },
    ]
    expect(await shown(at, used)).toMatchObject([{ where: 'OPENAI_API_KEY', added: 'mine' }])
  })

  it('shows no value of any key', async () => {
    const secrets = ['sk-deepseek-0123456789', 'sk-ant-oat01-secret', 'sk-proj-0123456789', 'zai-0123456789']
    const at = machine(
      {
        '.claude/.credentials.json': { claudeAiOauth: { accessToken: secrets[1] } },
        '.codex/auth.json': { OPENAI_API_KEY: secrets[2] },
        '.claude/settings.json': {
          env: { ANTHROPIC_AUTH_TOKEN: secrets[3], ANTHROPIC_BASE_URL: 'https://api.z.ai/api/anthropic' },
        },
      },
      { DEEPSEEK_API_KEY: secrets[0] ?? '' },
    )
    const all = JSON.stringify(await shown(at))
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(await shown(at)).toHaveLength(4)
  })

  it.each(['{', '[]', 'null', '{"env":7}', '\u0000\u0001'])(
    'takes a file that holds %j for an empty one',
    async (text) => {
      const names = [
        '.claude.json',
        '.claude/settings.json',
        '.claude/.credentials.json',
        '.codex/auth.json',
        '.codex/config.toml',
        '.local/share/opencode/auth.json',
        '.config/opencode/opencode.json',
        '.gemini/.env',
        '.gemini/oauth_creds.json',
        '.qwen/settings.json',
        '.claude-code-router/config.json',
        '.cc-switch/config.json',
      ]
      expect(await findAccess(machine(Object.fromEntries(names.map((name) => [name, text]))))).toEqual([])
    },
  )
})
