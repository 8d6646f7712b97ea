import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  existsSync,
  chmodSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setUpClients, type SetUpClient } from '../../../../shared/setup/first-run.ts'
import { nodeConfigFiles } from '../../config/node-files.ts'
import { tomlSections } from '../read-loosely.ts'
import { createAgentSetups, type AgentSetupDeps } from './agent-setups.ts'

/** Files as people have them. */
const examples: Readonly<Record<SetUpClient, Readonly<Record<string, string>>>> = {
  claude: {
    '.claude/settings.json': `{
  "model": "sonnet",
  "env": {
    "ANTHROPIC_AUTH_TOKEN": "glm-0123456789abcdef",
    "DISABLE_TELEMETRY": "1"
  },
  "permissions": { "allow": ["Bash(npm test:*)"] }
}
`,
  },
  codex: {
    '.codex/config.toml': `# mine
model = "gpt-5-codex"
model_provider = 'openai' # the usual one
notify = [
  ["a", "b"],
]
instructions = """
[not a table]
"""

[mcp_servers.docs]
command = "npx"   # keep
`,
  },
  opencode: {
    '.config/opencode/opencode.jsonc': `{
  // what I like
  "$schema": "https://opencode.ai/config.json",
  "theme": "nord", /* dark */
  "provider": {
    "local": { "npm": "@ai-sdk/openai-compatible", "options": { "apiKey": "local-0123456789" } },
  },
}`,
  },
  gemini: {
    '.gemini/settings.json': '{\r\n\t"ui": { "theme": "GitHub" }\r\n}\r\n',
    '.gemini/.env': '# keys\nexport GEMINI_API_KEY="AIza0123456789abcdef"\nOTHER=1',
  },
  qwen: { '.qwen/settings.json': '\uFEFF{"security":{"auth":{"selectedType":"qwen-oauth"}},"$version":3}' },
}

let root: string
let home: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'onward-setup-'))
  home = join(root, 'ada')
  mkdirSync(home)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
}
const bytes = (name: string) => readFileSync(join(home, name))
const setups = (more: Partial<AgentSetupDeps> & { keepsLogin?: boolean } = {}) =>
  createAgentSetups({
    files: nodeConfigFiles(),
    folder: join(home, '.onward', 'agent-setup'),
    facts: () => ({ home, env: {}, baseUrl: 'http://127.0.0.1:5520', keepsLogin: more.keepsLogin ?? false }),
    needsKey: () => false,
    ...more,
  })
const viewOf = async (of: ReturnType<typeof setups>, client: SetUpClient) => {
  const found = (await of.list()).find((setup) => setup.client === client)
  if (!found) throw new Error(client)
  return found
}
const possible = async (of: ReturnType<typeof setups>, client: SetUpClient) => {
  const found = await viewOf(of, client)
  if (found.kind !== 'possible') throw new Error(`${client} is ${found.kind}`)
  return found
}
const apply = async (of: ReturnType<typeof setups>, client: SetUpClient) =>
  of.apply({ client, fingerprint: (await possible(of, client)).fingerprint })

describe('an agent set up for good', () => {
  it.each(setUpClients)('%s: shown, written, and undone to the last byte', async (client) => {
    put(examples[client])
    const before = Object.keys(examples[client]).map((name) => [name, bytes(name)] as const)
    const of = setups()
    const shown = await possible(of, client)
    expect(shown.files.flatMap(({ lines }) => lines).some(({ kind }) => kind === 'added')).toBe(true)
    for (const [name, old] of before) expect(bytes(name).equals(old), 'looking changes nothing').toBe(true)
    await apply(of, client)
    for (const [name] of before) expect(bytes(name).toString()).toMatch(/127\.0\.0\.1:5520|gemini-api-key/)
    expect(await viewOf(of, client)).toMatchObject({ kind: 'set-up', changed: [] })
    // Another engine of the same home undoes it as well.
    await setups().undo(client)
    for (const [name, old] of before) expect(bytes(name).equals(old), name).toBe(true)
    expect((await viewOf(of, client)).kind).toBe('possible')
  })

  it.each(setUpClients)('%s: a file that was not there is gone again', async (client) => {
    const of = setups()
    const shown = await possible(of, client)
    expect(shown.files.every(({ fresh }) => fresh)).toBe(true)
    await apply(of, client)
    const paths = shown.files.map(({ path }) => join(home, path.slice(2)))
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600)
    await of.undo(client)
    expect(paths.filter((path) => existsSync(path))).toEqual([])
  })

  it('Claude Code keeps its login where that goes through, and gets a key that says nothing elsewhere', async () => {
    put(examples.claude)
    await apply(setups(), 'claude')
    const env = () => (parse(bytes('.claude/settings.json').toString()) as { env: unknown }).env
    expect(env()).toEqual({
      ANTHROPIC_AUTH_TOKEN: 'onward',
      DISABLE_TELEMETRY: '1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520',
    })
    await setups().undo('claude')
    await apply(setups({ keepsLogin: true }), 'claude')
    expect(env()).toEqual({ DISABLE_TELEMETRY: '1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:5520' })
  })

  it('Codex gets a provider of its own, above and behind what stood there', async () => {
    put(examples.codex)
    await apply(setups(), 'codex')
    const text = bytes('.codex/config.toml').toString()
    expect(text).toBe(
      examples.codex['.codex/config.toml']?.replace(
        "model_provider = 'openai' # the usual one",
        'model_provider = "onward" # the usual one',
      ) +
        '\n[features]\ndaemon_auto_start = false\n' +
        '\n[model_providers.onward]\nname = "Onward"\nbase_url = "http://127.0.0.1:5520/v1"\nwire_api = "responses"\n',
    )
    expect(tomlSections(text).get('')?.model_provider).toBe('onward')
  })

  it('takes out what would lead Claude Code elsewhere, and stands in the lists of the others', async () => {
    put({
      '.claude/settings.json': '{"env":{"CLAUDE_CODE_USE_BEDROCK":"1","ANTHROPIC_API_KEY":"sk-0123456789","A":"b"}}',
      '.config/opencode/opencode.jsonc': '{"enabled_providers":["local"]}',
      '.qwen/settings.json': '{"modelProviders":{"openai":[{"id":"big"}]}}',
    })
    const of = setups()
    for (const client of ['claude', 'opencode', 'qwen'] as const) await apply(of, client)
    const read = (name: string) => parse(bytes(name).toString()) as Record<string, unknown>
    expect(Object.keys(read('.claude/settings.json').env as object)).toEqual([
      'A',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_AUTH_TOKEN',
    ])
    expect(read('.config/opencode/opencode.jsonc').enabled_providers).toEqual(['local', 'onward'])
    expect(read('.qwen/settings.json')).toMatchObject({
      modelProviders: { openai: [{ id: 'big' }, { id: 'default' }] },
    })
  })

  it('refuses settings of another shape, and still shows the other agents', async () => {
    put({ '.qwen/settings.json': '{"modelProviders":{"openai":"all"}}', '.gemini/settings.json': '{"security":1}' })
    const of = setups()
    expect(await viewOf(of, 'qwen')).toMatchObject({ kind: 'impossible', code: 'unreadable-file' })
    expect(await viewOf(of, 'gemini')).toMatchObject({ kind: 'impossible', code: 'unreadable-file' })
    expect((await viewOf(of, 'claude')).kind).toBe('possible')
  })

  it('keeps comments, line ends and byte order marks of the others', async () => {
    for (const client of ['opencode', 'gemini', 'qwen'] as const) {
      put(examples[client])
      await apply(setups(), client)
    }
    expect(bytes('.config/opencode/opencode.jsonc').toString()).toMatch(/what I like[\s\S]*"nord", \/\* dark \*\//)
    expect(bytes('.gemini/settings.json').toString()).not.toMatch(/[^\r]\n/)
    expect(bytes('.gemini/.env').toString()).toBe(
      '# keys\nexport GEMINI_API_KEY=onward\nOTHER=1\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:5520\n',
    )
    expect(bytes('.qwen/settings.json').toString()).toMatch(/^\uFEFF\{/)
    expect(parse(bytes('.qwen/settings.json').toString().slice(1))).toMatchObject({
      security: { auth: { selectedType: 'openai' } },
      $version: 3,
      modelProviders: { openai: [{ id: 'default', baseUrl: 'http://127.0.0.1:5520/v1', envKey: 'ONWARD_QWEN_KEY' }] },
      env: { ONWARD_QWEN_KEY: 'onward' },
      model: { name: 'default', baseUrl: 'http://127.0.0.1:5520/v1' },
    })
  })

  it('shows no key, neither one that goes nor one nearby', async () => {
    for (const files of Object.values(examples)) put(files)
    const all = JSON.stringify(await setups().list())
    for (const key of ['glm-0123456789abcdef', 'AIza0123456789abcdef', 'local-0123456789'])
      expect(all).not.toContain(key)
    expect(all).toContain('••••')
  })

  it('goes through a link to the file it leads to, and leaves its mode', async () => {
    mkdirSync(join(home, 'dotfiles'))
    mkdirSync(join(home, '.claude'))
    writeFileSync(join(home, 'dotfiles/claude.json'), '{}\n')
    chmodSync(join(home, 'dotfiles/claude.json'), 0o640)
    symlinkSync(join(home, 'dotfiles/claude.json'), join(home, '.claude/settings.json'))
    await apply(setups(), 'claude')
    expect(readFileSync(join(home, 'dotfiles/claude.json'), 'utf8')).toContain('127.0.0.1:5520')
    expect(statSync(join(home, 'dotfiles/claude.json')).mode & 0o777).toBe(0o640)
    await setups().undo('claude')
    expect(readFileSync(join(home, 'dotfiles/claude.json'), 'utf8')).toBe('{}\n')
  })

  it('undoes nothing where somebody changed what was set, and says where the old text is', async () => {
    put(examples.gemini)
    const of = setups()
    await apply(of, 'gemini')
    const mine = bytes('.gemini/.env').toString().replace(':5520', ':8080')
    writeFileSync(join(home, '.gemini/.env'), mine)
    expect(await viewOf(of, 'gemini')).toMatchObject({ kind: 'set-up', changed: ['~/.gemini/.env'] })
    await expect(of.undo('gemini')).rejects.toMatchObject({ code: 'setup-changed' })
    expect(bytes('.gemini/.env').toString()).toBe(mine)
    expect(bytes('.gemini/settings.json').toString()).toContain('gemini-api-key')
    const backup = readFileSync(join(home, '.onward/agent-setup/gemini-2.backup'), 'utf8')
    expect(backup).toBe(examples.gemini['.gemini/.env'])
  })

  it('leaves what an agent wrote into its settings since, and takes the rest back', async () => {
    put({ ...examples.codex, ...examples.qwen, ...examples.gemini })
    const of = setups()
    for (const client of ['codex', 'qwen', 'gemini'] as const) await apply(of, client)
    const change = (name: string, by: (text: string) => string) =>
      writeFileSync(join(home, name), by(bytes(name).toString()))
    change('.codex/config.toml', (text) => text.replace('[model_providers.onward]', '[tui]\nseen = 1\n\n$&'))
    change('.qwen/settings.json', (text) => text.replace('"$version":3', '"$version":4'))
    change('.gemini/.env', (text) => `${text}MORE=1\n`)
    for (const client of ['codex', 'qwen', 'gemini'] as const) {
      expect(await viewOf(of, client)).toMatchObject({ kind: 'set-up', changed: [] })
      await of.undo(client)
    }
    expect(bytes('.codex/config.toml').toString()).toBe(`${examples.codex['.codex/config.toml']}[tui]\nseen = 1\n\n`)
    expect(bytes('.qwen/settings.json').toString()).toBe(
      examples.qwen['.qwen/settings.json']?.replace('"$version":3', '"$version":4'),
    )
    expect(bytes('.gemini/.env').toString()).toBe(`${examples.gemini['.gemini/.env']}\nMORE=1`)
    expect(existsSync(join(home, '.onward/agent-setup/codex-1.written'))).toBe(false)
  })

  it('leaves a file that was not there with what the agent wrote into it alone', async () => {
    const of = setups()
    for (const client of ['codex', 'qwen'] as const) await apply(of, client)
    writeFileSync(join(home, '.codex/config.toml'), `${bytes('.codex/config.toml').toString()}\n[tui]\nseen = 1\n`)
    const settings = parse(bytes('.qwen/settings.json').toString()) as Record<string, unknown>
    writeFileSync(join(home, '.qwen/settings.json'), JSON.stringify({ ...settings, $version: 4 }))
    for (const client of ['codex', 'qwen'] as const) await of.undo(client)
    expect(bytes('.codex/config.toml').toString().trim()).toBe('[tui]\nseen = 1')
    expect(JSON.parse(bytes('.qwen/settings.json').toString())).toEqual({ $version: 4 })
  })

  it('writes nothing when a file is not as it was shown', async () => {
    put(examples.claude)
    const of = setups()
    const { fingerprint } = await possible(of, 'claude')
    writeFileSync(join(home, '.claude/settings.json'), '{"model":"opus"}')
    await expect(of.apply({ client: 'claude', fingerprint })).rejects.toMatchObject({ code: 'setup-changed' })
    expect(bytes('.claude/settings.json').toString()).toBe('{"model":"opus"}')
  })

  it('puts the first file back when the second can’t be written', async () => {
    put(examples.gemini)
    const real = nodeConfigFiles()
    const of = setups({
      files: {
        ...real,
        write: (path, text) =>
          path.endsWith('.env')
            ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
            : real.write(path, text),
      },
    })
    await expect(apply(of, 'gemini')).rejects.toMatchObject({ code: 'store-failed' })
    for (const [name, text] of Object.entries(examples.gemini)) expect(bytes(name).toString()).toBe(text)
    expect((await viewOf(setups(), 'gemini')).kind).toBe('possible')
  })

  it('refuses files with a mistake, bytes that are no text, a taken name, and an engine that wants keys', async () => {
    put({ '.claude/settings.json': '{ "env": ', '.codex/config.toml': '[model_providers.onward]\nname = "mine"\n' })
    mkdirSync(join(home, '.qwen'))
    writeFileSync(join(home, '.qwen/settings.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    const of = setups()
    expect(await viewOf(of, 'claude')).toMatchObject({ code: 'unreadable-file', path: '~/.claude/settings.json' })
    expect(await viewOf(of, 'codex')).toMatchObject({ code: 'taken-name' })
    expect(await viewOf(of, 'qwen')).toMatchObject({ code: 'unreadable-file' })
    expect(await viewOf(setups({ needsKey: () => true }), 'gemini')).toMatchObject({ code: 'server-keys' })
    await expect(of.apply({ client: 'claude', fingerprint: 'x' })).rejects.toMatchObject({ code: 'setup-refused' })
  })
})
