import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { OnwardError } from '../engine/base/errors.ts'
import { controlTokenFile } from '../engine/control/token.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { onward } from './testing/test-cli.ts'

const { home, against } = cliHomes()

describe('exit codes and errors', () => {
  it('3 and a hint where no engine runs', async () => {
    const { path } = await home()
    const { code, err } = await onward(['status', '--home', path])
    expect(code).toBe(3)
    expect(err).toContain(`No engine runs for ${path}.`)
    expect(err).toContain('onward start')
  })
  it('3 where the note is there and nobody answers', async () => {
    const { path, listening } = await home({ status: async () => sampleStatus() })
    await listening?.close()
    expect((await onward(['status', '--home', path])).code).toBe(3)
  })
  it('3 when the engine ends in the middle of a call', async () => {
    const { path, listening } = await home({
      status: async () => sampleStatus(),
      sessions: () => {
        listening?.control.dispose()
        return new Promise(() => {})
      },
    })
    const { code, err } = await onward(['sessions', '--home', path])
    expect(code).toBe(3)
    expect(err).toContain('the connection was closed')
  })
  it('4 where the engine does not know this home’s token', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    await writeFile(controlTokenFile(path), 'another-token-'.padEnd(43, '0'))
    const { code, err } = await onward(['status', '--home', path])
    expect(code).toBe(4)
    expect(err).toContain('does not accept this home’s control token')
    expect(err).not.toContain('another-token')
  })
  it.each([
    ['session-unknown', 5],
    ['session-ambiguous', 5],
    ['terminal-unknown', 5],
    ['nothing-to-rearm', 4],
    ['revision-conflict', 4],
  ])('%s is %i, in the engine’s words', async (code, exit) => {
    const ran = await against(
      {
        session: async () => {
          throw new OnwardError(code, 'The words of the engine.')
        },
      },
      ['stop-message', 'x'],
    )
    expect(ran).toMatchObject({ code: exit, err: 'onward: The words of the engine.\n' })
  })
  it('are JSON with --json', async () => {
    const { err } = await against(
      {
        session: async () => {
          throw new OnwardError('session-unknown', 'No session is called x.')
        },
      },
      ['stop-message', 'x', '--json'],
    )
    expect(JSON.parse(err)).toEqual({ error: { code: 'session-unknown', message: 'No session is called x.', exit: 5 } })
  })
  it('1 for a fault of the engine', async () => {
    const { code, err } = await against(
      {
        sessions: async () => {
          throw new TypeError('boom')
        },
      },
      ['sessions'],
    )
    expect(code).toBe(1)
    expect(err).toContain('boom')
  })
  it.each([
    [['nonsense']],
    [['statsu']],
    [['say']],
    [['say', 'a', 'b', 'c']],
    [['status', '--port', 'x']],
    [['status', '--port', '70000']],
    [['--nonsense']],
  ])('2 for %j', async (words) => {
    const { code, err, out } = await onward(words)
    expect(code).toBe(2)
    expect(err).not.toBe('')
    expect(out).toBe('')
  })
  it.each([
    [['statsu'], 'statsu', 'status'],
    [['terminals', 'opne'], 'opne', 'open'],
    [['alarm', 'lsit', 'x'], 'lsit', 'list'],
    [['config', 'chekc'], 'chekc', 'check'],
  ])('2 for %j, and a guess at what was meant', async (words, word, meant) => {
    const { code, err } = await onward(words)
    expect(code).toBe(2)
    expect(err).toContain(`unknown command '${word}'\n(Did you mean ${meant}?)`)
  })
  it.each([
    [['help'], ['--help']],
    [
      ['help', 'serve'],
      ['serve', '--help'],
    ],
    [
      ['terminals', 'help'],
      ['terminals', '--help'],
    ],
    [
      ['help', 'terminals', 'open'],
      ['terminals', 'open', '--help'],
    ],
  ])('%j is as good as %j', async (words, same) => {
    const said = await onward(words)
    expect(said.code).toBe(0)
    expect(said).toEqual(await onward(same))
  })
  it('says what the system refuses in words, with the path', async () => {
    const { path } = await home()
    for (const [words, code, err] of [
      [['config', 'check', `${path}/typo`], 5, `onward: There is no file ${path}/typo.\n`],
      [['config', 'check', path], 1, `onward: ${path} can’t be read: a folder stands in its place (EISDIR).\n`],
      [['config', 'edit', '--home', '/proc/x'], 1, 'onward: /proc/x can’t be used: there is no such file or folder'],
      [['setup', '--list', '--home', '/proc/x'], 1, 'onward: /proc/x can’t be used: there is no such file or folder'],
    ] as const)
      expect(await onward(words)).toMatchObject({ code, err: expect.stringContaining(err) })
  })
})

describe('where it looks', () => {
  it('takes the home from --home before or behind the command, or ONWARD_HOME', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    for (const [words, env] of [
      [['--home', path, 'status'], {}],
      [['status', '--home', path], { ONWARD_HOME: '/nowhere' }],
      [['status'], { ONWARD_HOME: path }],
    ] as const) {
      expect((await onward(words, { env })).code).toBe(0)
    }
  })
  it('speaks to the home’s own engine only, whatever listens on a port that is named', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    const other = await home({ status: async () => sampleStatus({ pid: 77 }), sessions: async () => [] })
    const port = String(other.listening?.port)
    for (const ran of [
      await onward(['status', '--home', path, '--port', port]),
      await onward(['status', '--home', path], { env: { ONWARD_PORT: port } }),
    ]) {
      expect(ran.code).toBe(3)
      expect(ran.err).toContain(`not on ${port}`)
    }
    const own = await home({ status: async () => sampleStatus({ pid: 78 }), sessions: async () => [] })
    const named = ['status', '--home', own.path, '--port', String(own.listening?.port)]
    expect((await onward(named)).out).toContain('pid 78')
  })
  it('reads ~ as the person’s folder', async () => {
    expect((await onward(['config', 'path', '--home', '~/x'])).out).toBe('/home/ada/x/config.json\n')
    expect((await onward(['config', 'path'])).out).toBe('/home/ada/.onward/config.json\n')
  })
})

describe('help', () => {
  const commands = [
    'start',
    'serve',
    'dashboard',
    'status',
    'sessions',
    'say',
    'stop-message',
    'rounds',
    'checks',
    'budgets',
    'pause',
    'resume',
    'resume-at-reset',
    'recover',
    'turns',
    'cost',
    'capture',
    'terminals',
    'providers',
    'route',
    'config',
    'doctor',
    'logs',
    'register',
    'claude',
    'codex',
    'opencode',
    'qwen',
    'gemini',
    'copilot',
    'kimi',
    'kilo',
    'run',
    'completion',
    'man',
  ]
  it('lists every command and the exit codes', async () => {
    const { code, out } = await onward(['--help'])
    expect(code).toBe(0)
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(out).toContain('no engine runs for this home')
  })
  it.each(commands.filter((name) => name !== 'config'))(
    '%s --help has examples and the shared options',
    async (command) => {
      const { code, out } = await onward([command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain('Examples:')
      for (const option of ['--home', '--port', '--json']) expect(out).toContain(option)
    },
  )
  it('prints the version', async () => {
    expect((await onward(['--version'])).out).toBe('0.1.0\n')
  })
})
