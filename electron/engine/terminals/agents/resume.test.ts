import { describe, expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { agents } from './index.ts'
import { resumeArgv } from './resume.ts'

const id = '5b1f2a34-0000-4000-8000-1234567890ab'
const other = '11111111-2222-4333-8444-555555555555'
type Client = (typeof clientKinds)[number]
const resumed = (client: Client, args: string, conversation: string | null = id) =>
  resumeArgv(agents[client].resume, [client, ...args.split(' ').filter(Boolean)], conversation)
    ?.slice(1)
    .join(' ') ?? null

describe('an agent is started again', () => {
  it.each<[Client, string, string]>([
    ['claude', '', `--resume ${id}`],
    ['claude', '--settings /p --model sonnet fix', `--settings /p --model sonnet --resume ${id}`],
    ['claude', '--dangerously-skip-permissions fix', `--dangerously-skip-permissions --resume ${id}`],
    ['claude', '--allowedTools Bash Edit --verbose', `--allowedTools Bash Edit --verbose --resume ${id}`],
    ['claude', '--continue --model=opus', `--model=opus --resume ${id}`],
    ['claude', `--resume ${other} --fork-session`, `--resume ${id}`],
    ['claude', `--session-id ${other} -- --print`, `--resume ${id}`],
    ['claude', '--some-new-flag', `--some-new-flag --resume ${id}`],
    ['codex', '-c a="b" -m gpt fix', `-c a="b" -m gpt resume ${id}`],
    ['codex', 'resume --last --search', `--search resume ${id}`],
    ['codex', `resume ${other} go on`, `resume ${id}`],
    ['codex', '-i a.png b.png -s read-only', `-s read-only resume ${id}`],
    ['opencode', '', `--session ${id}`],
    ['opencode', 'folder --agent plan --prompt fix', `folder --agent plan --session ${id}`],
    ['opencode', '-c', `--session ${id}`],
  ])('%s %s', (client, args, expected) => expect(resumed(client, args)).toBe(expected))

  it.each(['gemini', 'qwen'] as const)('%s by the name it was started under', (client) => {
    expect(resumed(client, `--session-id ${other} -i fix -m x`, null)).toBe(`-m x --resume ${other}`)
    expect(resumed(client, `-m x --resume ${other}`, null)).toBe(`-m x --resume ${other}`)
    expect(resumed(client, '-m x', null)).toBeNull()
    expect(resumed(client, '--resume latest', null)).toBeNull()
    expect(resumed(client, '--resume 5', null)).toBeNull()
  })

  it.each<[Client, string]>([
    ['claude', '-p fix'],
    ['claude', '--print fix'],
    ['claude', '-pc'],
    ['claude', 'mcp list'],
    ['claude', '--some-new-option fix'],
    ['codex', 'exec fix'],
    ['codex', '-c a=b fork'],
    ['opencode', 'run fix'],
    ['opencode', '-- folder'],
    ['gemini', `--session-id ${other} -p fix`],
    ['qwen', `--session-id ${other} mcp`],
    ['copilot', ''],
    ['other', 'node agent.js'],
  ])('but not %s %s', (client, args) => expect(resumed(client, args)).toBeNull())

  it('and what is started again once more keeps its words', () => {
    for (const client of ['claude', 'codex', 'opencode'] as const) {
      const once = resumeArgv(agents[client].resume, [client, '--model', 'x', 'a', 'b'], id)
      expect(resumeArgv(agents[client].resume, once ?? [], id)).toEqual(once)
    }
  })
})

describe('an agent whose requests name no conversation', () => {
  const input = {
    baseUrl: 'http://127.0.0.1:1',
    key: 'k',
    folder: '/f',
    cwd: '/w',
    platform: 'linux' as NodeJS.Platform,
    root: false,
    read: () => null,
  }
  const argv = (client: 'gemini' | 'qwen', args: string[], conversation?: string) =>
    agents[client].launch({ ...input, args, conversation }).argv.join(' ')

  it.each(['gemini', 'qwen'] as const)('%s is started under a name where it may be started again', (client) => {
    expect(argv(client, ['-m', 'x'], other)).toContain(`--session-id ${other} -m x`)
    for (const args of [
      ['--resume', 'latest'],
      ['mcp', 'list'],
      ['-p', 'fix'],
    ])
      expect(argv(client, args, other)).not.toContain(other)
    expect(argv(client, [])).not.toContain('--session-id')
  })
})
