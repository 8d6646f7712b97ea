import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../shared/words.ts'
import { namedPrint, nextPrint, printingAgents } from './print.ts'

const id = '5b1f2a34-0000-4000-8000-1234567890ab'
const other = '11111111-2222-4333-8444-555555555555'
const next = (client: ClientKind, args: string, conversation: string | null = id) =>
  nextPrint(client, [client, ...args.split(' ').filter(Boolean)], conversation)
    ?.slice(1)
    .join(' ') ?? null

describe('a run without a terminal goes on with its conversation, for a message on stdin', () => {
  it.each<[ClientKind, string, string]>([
    ['claude', '-p fix', `-p --resume ${id}`],
    ['claude', '--settings /p --print --model sonnet fix', `--settings /p --print --model sonnet --resume ${id}`],
    ['claude', 'fix -p --output-format json', `-p --output-format json --resume ${id}`],
    ['claude', `-p --resume ${other} --fork-session fix`, `-p --resume ${id}`],
    ['claude', '-p --continue -- --fix', `-p --resume ${id}`],
    ['claude', '-p --allowedTools Bash Edit', `-p --allowedTools Bash Edit --resume ${id}`],
    ['codex', '-c a="b" exec fix', `-c a="b" exec resume ${id} -`],
    [
      'codex',
      '-c a="b" e --json -o last.txt -s read-only fix',
      `-c a="b" e --json -o last.txt -s read-only resume ${id} -`,
    ],
    ['codex', 'exec --skip-git-repo-check -- --fix', `exec --skip-git-repo-check resume ${id} -`],
    ['codex', 'exec -i a.png b.png -m gpt', `exec -m gpt resume ${id} -`],
    ['opencode', 'run --model a/b fix it', `run --model a/b --session ${id}`],
    ['opencode', `run -s ${other} fix`, `run --session ${id}`],
  ])('%s %s', (client, args, expected) => expect(next(client, args)).toBe(expected))

  it('Qwen Code by the name that it was started under', () => {
    const args = namedPrint('qwen', ['-y', 'fix'], other)
    expect(args).toEqual(['--session-id', other, '-y', 'fix'])
    expect(next('qwen', args.join(' '), null)).toBe(`-y --resume ${other}`)
    expect(namedPrint('qwen', ['--resume', id, 'fix'], other)).toEqual(['--resume', id, 'fix'])
    expect(namedPrint('claude', ['-p', 'fix'], other)).toEqual(['-p', 'fix'])
  })

  it.each<[ClientKind, string]>([
    ['claude', 'fix'],
    ['claude', '-p --no-session-persistence fix'],
    ['claude', '-p --input-format stream-json'],
    ['claude', '-p --some-new-option fix'],
    ['claude', '-p -w'],
    ['claude', 'mcp list -p'],
    ['codex', 'fix'],
    ['codex', 'login'],
    ['codex', ''],
    ['codex', 'exec review'],
    ['codex', 'exec resume --last go'],
    ['codex', 'exec --ephemeral fix'],
    ['opencode', ''],
    ['opencode', 'serve'],
    ['opencode', 'run --attach http://x fix'],
    ['qwen', '--resume latest fix'],
    ['qwen', '-i fix'],
    ['gemini', '-p fix'],
    ['kimi', '-p fix'],
    ['other', '-p fix'],
  ])('%s %s is none that can be gone on with', (client, args) => expect(next(client, args)).toBeNull())

  it('is known of these', () => expect(printingAgents).toEqual(['claude', 'codex', 'opencode', 'qwen']))
})
