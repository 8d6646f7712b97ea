import { join } from 'node:path'
import { parse, type ParseError } from 'jsonc-parser'
import type { SetupObstacle, SetUpClient } from '../../../../shared/setup/first-run.ts'
import { OnwardError } from '../../base/errors.ts'
import { editText, type ConfigEdit } from '../../config/edit-text.ts'
import { configOf } from '../../terminals/agents/opencode.ts'
import { asList, at } from '../read-loosely.ts'
import { addTable, hasTable, setFeature, setTopText } from './toml-edit.ts'

/** The facts about Onward that an agent's settings need. */
export interface SetupFacts {
  /** the person's home folder */
  home: string
  env: Readonly<Record<string, string | undefined>>
  /** root of the proxy, without a slash at its end */
  baseUrl: string
  /** Claude Code's own login goes through to its vendor */
  keepsLogin: boolean
}

/** One file of an agent's, and what it is to hold. @throws SetupRefused */
export interface Change {
  path: string
  /** takes its place where it is there */
  instead?: string
  /** @param text '' where there is no such file */
  edit(text: string): string
}

export class SetupRefused extends Error {
  readonly code: SetupObstacle
  constructor(code: SetupObstacle) {
    super(code)
    this.code = code
  }
}

/** Agents want some key. This one says nothing, and no provider ever gets it. */
export const noKey = 'onward'

/** The changes that point an agent at Onward whenever it is started, as its launcher does for one process. */
export const changesOf: Readonly<Record<SetUpClient, (facts: SetupFacts) => readonly Change[]>> = {
  claude: ({ home, env, baseUrl, keepsLogin }) => [
    json(join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'), (value) => [
      { path: ['env', 'ANTHROPIC_BASE_URL'], value: baseUrl },
      // Each of the clouds has an address of its own; a key beside the token would be sent along, or in its place.
      ...clouds.flatMap((name) => gone(value, 'env', name)),
      ...gone(value, 'env', 'ANTHROPIC_API_KEY'),
      ...(keepsLogin
        ? // It would stand in for the login, and go to the login's vendor.
          gone(value, 'env', 'ANTHROPIC_AUTH_TOKEN')
        : [{ path: ['env', 'ANTHROPIC_AUTH_TOKEN'], value: noKey }]),
    ]),
  ],
  codex: ({ home, env, baseUrl }) => [
    {
      path: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
      edit(text) {
        if (hasTable(text, 'model_providers.onward')) throw new SetupRefused('taken-name')
        // Its app-server is one process for all terminals, so the process would not show whose call it is.
        const alone = setFeature(setTopText(text, 'model_provider', 'onward'), 'daemon_auto_start', false)
        return addTable(alone, 'model_providers.onward', {
          name: 'Onward',
          base_url: `${baseUrl}/v1`,
          wire_api: 'responses',
        })
      },
    },
  ],
  opencode: ({ home, env, baseUrl }) => {
    const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
    const change = json(join(folder, 'opencode.json'), (value) => {
      if (at(value, 'provider', 'onward') !== undefined) throw new SetupRefused('taken-name')
      const { model, small_model, provider } = configOf(baseUrl)
      const onward = { ...provider.onward, options: { ...provider.onward.options, apiKey: noKey } }
      return [
        { path: ['model'], value: model },
        { path: ['small_model'], value: small_model },
        { path: ['provider', 'onward'], value: onward },
        ...also(value, 'enabled_providers', 'onward'),
      ]
    })
    return [{ ...change, instead: join(folder, 'opencode.jsonc') }]
  },
  gemini: ({ home, baseUrl }) => [
    json(join(home, '.gemini', 'settings.json'), () => [
      { path: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' },
      // It reads one such file only, and the nearest first: a project's would hide the one below.
      { path: ['advanced', 'ignoreLocalEnv'], value: true },
    ]),
    {
      path: join(home, '.gemini', '.env'),
      edit: (text) => setVariables(text, { GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: noKey }),
    },
  ],
  qwen: ({ home, baseUrl }) => [
    json(join(home, '.qwen', 'settings.json'), (value) => [
      { path: ['security', 'auth', 'selectedType'], value: 'openai' },
      // Variables as OPENAI_BASE_URL and files with them win over all but a model that is listed with its address.
      {
        path: ['modelProviders', 'openai', asList(at(value, 'modelProviders', 'openai')).length],
        value: { id: 'default', name: 'Onward', baseUrl: `${baseUrl}/v1`, envKey: keyVariable },
      },
      { path: ['env', keyVariable], value: noKey },
      { path: ['model', 'name'], value: 'default' },
      { path: ['model', 'baseUrl'], value: `${baseUrl}/v1` },
    ]),
  ],
}

/** named in Qwen Code's settings and set there */
const keyVariable = 'ONWARD_QWEN_KEY'

/** These send Claude Code's calls elsewhere, whatever its address is. */
const clouds = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY']

const gone = (value: unknown, ...path: readonly string[]): readonly ConfigEdit[] =>
  at(value, ...path) === undefined ? [] : [{ path, value: undefined }]

/** One more in a list that leaves out what is not in it; without a list nothing is left out. */
function also(value: unknown, name: string, item: string): readonly ConfigEdit[] {
  const list = at(value, name)
  return !Array.isArray(list) || list.includes(item) ? [] : [{ path: [name, list.length], value: item }]
}

function json(path: string, edits: (value: unknown) => readonly ConfigEdit[]): Change {
  return {
    path,
    edit(text) {
      const given = text.trim() === '' ? '{}\n' : text
      const errors: ParseError[] = []
      const value: unknown = parse(given.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
      if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
        throw new SetupRefused('unreadable-file')
      try {
        return editText(given, edits(value))
      } catch (error) {
        // A text stands where its settings have members.
        if (error instanceof OnwardError && error.code === 'bad-edit') throw new SetupRefused('unreadable-file')
        throw error
      }
    },
  }
}

/** Sets variables in a `.env` file: in their lines where they have one, else after the last. */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  return Object.entries(values).reduce((now, [name, value]) => {
    const written = `${name}=${value}`
    const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?)${name}[ \\t]*=[^\\r\\n]*`, 'm')
    if (line.test(now)) return now.replace(line, (_, lead: string) => `${lead}${written}`)
    return `${now}${now === '' || now.endsWith('\n') ? '' : end}${written}${end}`
  }, text)
}
