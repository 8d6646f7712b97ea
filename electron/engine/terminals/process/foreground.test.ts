import { describe, expect, it } from 'vitest'
import { expectedAgent, foregroundFinder, programName } from './foreground.ts'
import { parseStat } from './linux.ts'
import { parseLine } from './macos.ts'
import type { ProcessFact, ProcReader } from './proc-reader.ts'

const fact = (pid: number, pgid: number, tpgid: number, command: string): ProcessFact => {
  const argv = command.split(' ')
  return { pid, pgid, tpgid, name: (argv[0] ?? '').replace(/^.*\//, '').slice(0, 15), argv }
}
const reader = (...facts: ProcessFact[]): ProcReader => ({
  process: async (pid) => facts.find((one) => one.pid === pid) ?? null,
  group: async (pgid) => facts.filter((one) => one.pgid === pgid),
})

/** A pane whose shell (pid 10) has `command` as group 20 in front. */
const inFront = (...commands: string[]) =>
  reader(fact(10, 10, 20, '-bash'), ...commands.map((command, i) => fact(20 + i, 20, 20, command)))

describe('who is in front of a terminal', () => {
  it.each([
    ['the native program', 'codex', ['codex -c model="x"'], 'agent'],
    ['a script under node', 'codex', ['node /usr/local/bin/codex'], 'agent'],
    ['a script known by its path', 'qwen', ['node /usr/lib/node_modules/@qwen-code/qwen-code/cli.js'], 'agent'],
    [
      'the launcher with the agent in its group',
      'claude',
      ['node /opt/onward.js claude', '/home/user/.local/bin/claude'],
      'agent',
    ],
    ['a shell script that runs the agent', 'claude', ['sh ./start.sh', 'claude'], 'agent'],
    ['another program', 'claude', ['vim notes.md'], 'other'],
    ['an editor with a file of the agent', 'codex', ['vim /usr/lib/node_modules/@openai/codex/README.md'], 'other'],
    ['another agent', 'claude', ['codex'], 'other'],
    ['a shell', 'claude', ['zsh'], 'shell'],
  ] as const)('%s', async (_what, client, commands, kind) => {
    expect((await foregroundFinder(inFront(...commands), expectedAgent(client, [], null))(10)).kind).toBe(kind)
  })

  it('is the same program at every reading, whatever the order in which processes are listed', async () => {
    const listed = [fact(22, 20, 20, 'tee log'), fact(21, 20, 20, 'less notes.md')]
    for (const order of [listed, listed.toReversed()]) {
      const find = foregroundFinder(reader(fact(10, 10, 20, 'sh -c less'), ...order), expectedAgent('claude', [], null))
      expect(await find(10)).toEqual({ kind: 'other', program: 'less', pgid: 20 })
    }
  })

  it('is the shell itself when the agent has ended', async () => {
    const alone = reader(fact(10, 10, 10, '-bash'))
    expect(await foregroundFinder(alone, expectedAgent('codex', [], 20))(10)).toEqual({
      kind: 'shell',
      program: 'bash',
      pgid: 10,
    })
  })

  it('is unknown without a terminal, a process or anybody to ask', async () => {
    const agent = expectedAgent('codex', [], null)
    expect(await foregroundFinder(null, agent)(10)).toEqual({ kind: 'unknown' })
    expect(await foregroundFinder(reader(), agent)(10)).toEqual({ kind: 'unknown' })
    expect(await foregroundFinder(reader(fact(10, 10, -1, 'bash')), agent)(10)).toEqual({ kind: 'unknown' })
    expect(await foregroundFinder(reader(fact(10, 10, 20, 'bash')), agent)(10)).toEqual({ kind: 'unknown' })
  })

  it('notices when the agent it knew is gone and its group went on', async () => {
    const processes = [fact(10, 10, 20, '-bash'), fact(20, 20, 20, 'sh ./start.sh'), fact(21, 20, 20, 'claude')]
    const find = foregroundFinder(
      {
        process: async (pid) => processes.find((one) => one.pid === pid) ?? null,
        group: async (pgid) => processes.filter((one) => one.pgid === pgid),
      },
      expectedAgent('claude', [], null),
    )
    expect((await find(10)).kind).toBe('agent')
    processes.pop()
    expect((await find(10)).kind).toBe('shell')
  })

  it('knows any other program by its command, or by the process that was started', async () => {
    const run = expectedAgent('other', ['node', 'tools/reader.mjs'], null)
    expect((await foregroundFinder(inFront('node tools/reader.mjs'), run)(10)).kind).toBe('agent')
    expect((await foregroundFinder(inFront('node tools/other.mjs'), run)(10)).kind).toBe('other')
    const byPid = expectedAgent('other', ['npx', 'thing'], 20)
    expect((await foregroundFinder(inFront('thing-renamed'), byPid)(10)).kind).toBe('agent')
    expect((await foregroundFinder(inFront('bash'), byPid)(10)).kind).toBe('shell')
  })

  it('never takes a shell for the agent, even when a shell was started', async () => {
    const shell = expectedAgent('other', ['bash'], 20)
    expect((await foregroundFinder(inFront('bash'), shell)(10)).kind).toBe('shell')
  })
})

describe('what processes are called', () => {
  it.each([
    [['-zsh'], 'zsh'],
    [['/usr/bin/node', '--enable-source-maps', '/opt/gemini.js', '-y'], 'gemini'],
    [['node'], 'node'],
    [['/home/user/.local/bin/claude', '--resume'], 'claude'],
  ])('%j', (argv, name) => {
    expect(programName({ name: 'x', argv })).toBe(name)
  })

  it('reads /proc/<pid>/stat with any name', () => {
    expect(parseStat('12 (a) b) S 1 34 56 34816 78 4194304')).toEqual({ name: 'a) b', ppid: 1, pgid: 34, tpgid: 78 })
    expect(parseStat('12 (gone) Z 1 34 56 34816 78 4194304')).toBeNull()
    expect(parseStat('')).toBeNull()
  })

  it('reads a line of ps', () => {
    expect(parseLine('  501   500   500 S+   /usr/local/bin/node /usr/local/bin/codex')).toEqual({
      pid: 501,
      pgid: 500,
      tpgid: 500,
      name: 'node',
      argv: ['/usr/local/bin/node', '/usr/local/bin/codex'],
    })
    expect(parseLine('  502   500     0 Z    (codex)')).toBeNull()
    expect(parseLine('')).toBeNull()
  })
})
