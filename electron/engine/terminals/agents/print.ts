import type { ClientKind } from '../../../../shared/words.ts'
import { agents } from './index.ts'
import { named, resumeArgv } from './resume.ts'
import type { OptionKind, ResumeFacts } from './types.ts'

/** An agent run without a terminal: once for each message, which it reads on stdin, in one conversation. */
interface PrintFacts extends ResumeFacts {
  /** one of these options makes a run such a run; absent: its command does, or every run without a terminal is one */
  asked?: readonly string[]
}

/** Returns the options of its resume with these instead: each is of one kind. */
function options(
  client: ClientKind,
  changed: Readonly<Partial<Record<OptionKind, readonly string[]>>>,
): ResumeFacts['options'] {
  const other = new Set(Object.values(changed).flat())
  const before = Object.entries(agents[client].resume?.options ?? {})
  const kept = before.map(([kind, names]) => [kind, names.filter((name) => !other.has(name))] as const)
  const all: Partial<Record<string, readonly string[]>> = Object.fromEntries(kept)
  for (const [kind, names] of Object.entries(changed)) all[kind] = [...(all[kind] ?? []), ...names]
  return all
}

const noOpeners = { opens: [], commands: [] } as const

/**
 * Claude Code 2.1.332, Codex 0.171.0, opencode 1.18.33, Qwen Code 0.24.4. Gemini CLI 0.61.0 says in such a run what it
 * says of its sub-agents elsewhere; the others were not measured.
 */
const printed: Partial<Record<ClientKind, PrintFacts>> = {
  claude: {
    words: (id) => ['--resume', id],
    known: 'wire',
    asked: ['-p', '--print'],
    options: options('claude', {
      flag: ['-p', '--print', '--include-hook-events', '--include-partial-messages', '--forward-subagent-text'],
      value: ['--output-format', '--json-schema', '--max-budget-usd', '--max-turns', '--permission-prompt-tool'],
      'drop-values': ['--file'],
      never: ['--input-format', '--replay-user-messages'],
    }),
    opens: agents.claude.resume?.opens ?? [],
    commands: agents.claude.resume?.commands ?? [],
  },
  codex: {
    words: (id) => ['resume', id, '-'],
    known: 'wire',
    first: { command: ['exec', 'e'] },
    ...noOpeners,
    commands: ['resume', 'fork', 'review', 'help'],
    options: options('codex', {
      flag: ['--json', '--skip-git-repo-check', '--trust', '--ignore-user-config', '--ignore-rules'],
      value: ['--thread-source', '--cyber-access-program', '--output-schema', '--color', '-o', '--output-last-message'],
      never: ['--ephemeral', '--remote-auth-token-env'],
    }),
  },
  opencode: {
    words: (id) => ['--session', id],
    known: 'wire',
    first: { command: ['run'] },
    ...noOpeners,
    options: options('opencode', {
      flag: ['--thinking'],
      value: ['--dir', '--format', '--variant'],
      drop: ['--share'],
      'drop-value': ['--title'],
      'drop-values': ['-f', '--file'],
      never: ['--attach', '--command', '-i', '--interactive', '-p', '--password', '-u', '--username'],
    }),
  },
  qwen: {
    words: (id) => ['--resume', id],
    known: 'argument',
    options: options('qwen', {
      value: ['-o', '--output-format', '--max-wall-time', '--json-schema'],
      'drop-value': ['-p', '--prompt'],
      never: ['-i', '--prompt-interactive', '--input-format', '--input-file'],
    }),
    opens: agents.qwen.resume?.opens ?? [],
    commands: agents.qwen.resume?.commands ?? [],
  },
}

/** The agents that can be kept going without a terminal. */
export const printingAgents = Object.keys(printed) as readonly ClientKind[]

/** Returns the command line that goes on with the conversation, for a message on stdin; null: none is known. */
export function nextPrint(client: ClientKind, argv: readonly string[], id: string | null): string[] | null {
  const facts = printed[client]
  if (!facts || (facts.asked && !argv.some((word) => facts.asked?.includes(word.replace(/=.*/s, ''))))) return null
  return resumeArgv(facts, argv, id)
}

/** Returns the arguments with a name for the new conversation, where the agent's requests tell none. */
export const namedPrint = (client: ClientKind, args: readonly string[], id: string): readonly string[] =>
  printed[client]?.known === 'argument' ? named(printed[client], args, id) : args
