import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onward } from '../testing/test-cli.ts'
import { unless } from '../../../shared/testing/unless.ts'

const folder = mkdtempSync(join(tmpdir(), 'onward-completion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function script(shell: string): Promise<string> {
  const { code, out } = await onward(['completion', shell])
  expect(code).toBe(0)
  const file = join(folder, shell)
  writeFileSync(file, out)
  return file
}

/** Returns the completions of a real bash for a line; the last word is being typed. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const file = await script('bash')
  const program =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} ' +
    '- 1)); _onward; printf "%s\\n" "${COMPREPLY[@]}"'
  return execFileSync('bash', ['--norc', '-c', program, 'bash', file, ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
}

describe('bash completion, asked of a real bash', () => {
  const table: [string[], string[], string[]][] = [
    [
      ['onward', ''],
      ['status', 'sessions', 'codex', 'stop-message', '--home'],
      ['check', '--rounds'],
    ],
    [['onward', 'se'], ['serve', 'sessions'], ['status']],
    [
      ['onward', 'config', ''],
      ['path', 'check'],
      ['status', 'sessions'],
    ],
    [['onward', '--home', 'config', 'st'], ['status', 'start', 'stop-message'], []],
    [['onward', '--home', '/x', 'config', 'ch'], ['check'], []],
    [['onward', 'stop-message', 'billing', '--r'], ['--rounds', '--review', '--resume', '--rearm'], ['--clear']],
    [['onward', 'terminals', 'open', ''], ['claude', 'codex', 'other', '--cwd'], ['close']],
    [['onward', 'register', '--client', ''], ['claude', 'qwen'], ['--name']],
    [['onward', 'codex', '--t'], ['--tmux'], ['--home']],
    [['onward', 'alarm', ''], ['add', 'list', 'missed', 'restore'], ['status']],
    [['onward', 'alarm', 'add', 'billing', '9:00', 'check', '--a'], ['--at'], ['--home']],
    [['onward', 'stop-message', 'billing', '--'], ['--goal', '--edit', '--no-review'], ['--limit']],
    [['onward', 'rounds', 'billing', '--l'], ['--limit'], ['--rounds']],
    [
      ['onward', 'checks', ''],
      ['run', 'add', 'approve', 'forget', '--json'],
      ['status', '--yes'],
    ],
    [['onward', 'checks', 'add', 'billing', '--'], ['--name', '--timeout'], ['--yes']],
    [['onward', 'budgets', '--'], ['--rounds', '--hours', '--no-progress', '--tokens', '--cost'], ['--progress']],
    [['onward', 'alarm', 'missed', '--d'], ['--deliver', '--dismiss', '--dismiss-all'], ['--at']],
  ]
  it.each(table)('%j', async (words, offered, notOffered) => {
    const offers = await bashOffers(...words)
    expect(offers).toEqual(expect.arrayContaining(offered))
    for (const word of notOffered) expect(offers).not.toContain(word)
  })
  it.each([
    [['onward', 'codex', 'exec', '']],
    [['onward', 'run', '--', 'py']],
    [['onward', 'checks', 'add', 'billing', '--', 'np']],
    [['onward', 'status', '--home', '']],
  ])('leaves %j to files and other programs', async (words) => {
    expect(await bashOffers(...words)).toEqual([])
  })
})

const has = (shell: string) => spawnSync(shell, ['--version'], { stdio: 'ignore' }).error === undefined

describe('zsh completion', () => {
  it('knows every command, quoted', async () => {
    const { out } = await onward(['completion', 'zsh'])
    expect(out).toMatch(/^#compdef onward/)
    for (const words of [
      "'stop-message:keep a session going\\: set, show, clear'",
      '_onward_terminals_open()',
      "'--rounds[how often\\: a number, or `unbounded`]:value:_files'",
    ])
      expect(out).toContain(words)
  })
  it('is read by zsh without complaint', unless(has('zsh') ? null : 'zsh is not installed'), async () => {
    const { status, stderr } = spawnSync(
      'zsh',
      [
        '-f',
        '-c',
        'autoload -Uz compinit && compinit -D -u && source "$1" && whence -w _onward',
        'zsh',
        await script('zsh'),
      ],
      { encoding: 'utf8' },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

describe('fish completion', () => {
  it('knows every command and option', async () => {
    const { out } = await onward(['completion', 'fish'])
    expect(out).toContain(
      "complete -c onward -f -n __fish_use_subcommand -a stop-message -d 'keep a session going: set, show, clear'",
    )
    expect(out).toContain(
      "complete -c onward -f -n '__fish_seen_subcommand_from config; and not " +
        "__fish_seen_subcommand_from path check edit collector-header undo put-back' -a check",
    )
    expect(out).toContain('-l rounds -r')
  })
  it('offers in a real fish what fits', unless(has('fish') ? null : 'fish is not installed'), async () => {
    const offers = execFileSync(
      'fish',
      ['--no-config', '-c', 'source $argv[1]; complete -C "onward stop-message x --r"', await script('fish')],
      { encoding: 'utf8' },
    )
    expect(offers).toContain('--rounds')
    expect(offers).not.toContain('--cwd')
  })
})

it('a shell that is not known is refused', async () => {
  expect((await onward(['completion', 'csh'])).code).toBe(2)
})
