import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../../shared/config/schema.ts'
import { createProgramEnv } from './program-env.ts'

const config = (more: ConfigInput) => () => configSchema.parse(more)
const envOf = (env: Record<string, string | undefined>, more: ConfigInput = {}, loginPath?: string | null) =>
  createProgramEnv({
    host: { env, ...(loginPath === undefined ? {} : { loginPath: async () => loginPath }) },
    config: config(more),
  })()
const paths = (...folders: string[]) => folders.join(delimiter)

describe('the environment of programs', () => {
  it('is the person’s, without what is Onward’s, npm’s, Electron’s and a terminal’s', async () => {
    expect(
      await envOf({
        HOME: '/home/a',
        LANG: 'de_DE.UTF-8',
        ONWARD: 'theirs',
        GONE: undefined,
        ONWARD_HOME: '/x',
        ROUTECODEX_STOPMESSAGE_BD_MODE: 'auto',
        TMUX: '/tmp/tmux',
        TMUX_PANE: '%1',
        ELECTRON_RUN_AS_NODE: '1',
        npm_config_prefix: '/x',
        npm_lifecycle_event: 'start',
        INIT_CWD: '/x',
      }),
    ).toEqual({ HOME: '/home/a', LANG: 'de_DE.UTF-8', ONWARD: 'theirs' })
  })

  it('is without keys, by their names and by their values', async () => {
    const provider: NonNullable<ConfigInput['providers']>[string] = {
      type: 'openai-chat',
      keys: [
        { alias: 'a', env: 'MY_KEY' },
        { alias: 'b', value: 'sk-long-enough' },
        { alias: 'c', value: 'x' },
      ],
    }
    const env = {
      MY_KEY: '1',
      COPY: 'sk-long-enough',
      SHORT: 'x',
      SEARCH: 'brave-secret',
      LOCAL: 'local-secret',
      MCP: 'mcp-secret',
      MINE: 'y',
    }
    expect(
      await envOf(env, {
        providers: { p: provider },
        server: { keys: ['local-secret'] },
        mcp: { keys: ['mcp-secret'] },
        servertools: { webSearch: { engine: { type: 'brave', key: 'brave-secret' } } },
      }),
    ).toEqual({ SHORT: 'x', MINE: 'y' })
  })

  it.each<[string, string | undefined, string | null | undefined, string | undefined]>([
    ['its own first, then the login shell’s', paths('/a', '/b'), paths('/b', '/c'), paths('/a', '/b', '/c')],
    ['its own where no login shell answers', '/a', null, '/a'],
    ['its own where no host asks one', '/a', undefined, '/a'],
    ['the login shell’s alone', undefined, '/c', '/c'],
    ['none', undefined, null, undefined],
    ['no folder of the repository', paths('', '.', 'bin', '/a', './node_modules/.bin'), '', '/a'],
    ['nothing npm put there', paths('/repo/node_modules/.bin', '/a', '/npm/node-gyp-bin'), null, '/a'],
  ])('has as PATH %s', async (_name, own, login, expected) =>
    expect((await envOf({ PATH: own }, {}, login)).PATH).toBe(expected),
  )
})
