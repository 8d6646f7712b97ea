import { isBlank, type ScreenView } from '../screen/view.ts'
import { givenOptions } from './person-settings.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

/**
 * The composer's prompt is a bold `›`; that of an earlier message is dim as well. Further lines of a draft are
 * indented by two columns. A menu points with `›` too, but hides the cursor.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  if (!view.cursorVisible) return null
  for (let top = view.cursor.y; top >= 0; top--) {
    const row = view.rows[top]
    const first = row?.[0]
    if (first?.char === '›' && first.bold && !first.dim) return { top, bottom: lastRow(view, view.cursor.y), left: 2 }
    if (!row || !isBlank(row, 0, 2)) return null
  }
  return null
}

/** A blank row divides the composer from the footer. */
function lastRow(view: ScreenView, from: number): number {
  let y = from
  while (y + 1 < view.rows.length && !isBlank(view.rows[y + 1]) && isBlank(view.rows[y + 1], 0, 2)) y++
  return y
}

const managedConfig = '/etc/codex/managed_config.toml'
const quoted = (text: string) => JSON.stringify(text)

/** Codex CLI, measured with 0.169.0 in tmux and in a PTY. It reports OSC 7501 unasked. */
export const codex: AgentFacts = {
  client: 'codex',
  programs: ['codex'],
  programPaths: [/\/@openai\/codex\//],
  gapMs: { short: 50, long: 500 },
  stoodMs: 30,
  bracketedPaste: true,
  // A backslash before the `$` changes nothing, one after it does. Links to plugins by its source (mention_syntax).
  expands: [
    {
      what: /\$(?!(?:PATH|HOME|USER|SHELL|PWD|TMPDIR|TEMP|TMP|LANG|TERM|XDG_CONFIG_HOME)(?![\w:-]))(?=[\w:-])/gi,
      plain: '$$\\',
    },
    { what: /(?<=\[)@(?=[\w:-]+\]\s*\()/g, plain: '\\@' },
  ],
  commands: [],
  endGoal: '/goal clear',
  resumeGoal: '/goal resume',
  screen: {
    findComposer,
    placeholder: /^Ask Codex to do anything$/,
    ghostColors: [],
    pasteStandIn: /^\[Pasted Content \d+ chars\]$/,
    title: { busy: /^[\u2800-\u28ff] /, dialog: /^\[ [!.] \] Action Required/ },
    dialogs: [
      { line: /^ +Shell mode(?: ·|$)/, what: 'shell mode' },
      { line: /\bPress enter to confirm or esc\b/i, what: 'dialog' },
      { line: /\benter select · esc back\b/, what: 'menu' },
    ],
    asks: [
      { act: 'edit', line: /^Destination: (.+)$/ },
      { act: 'run', line: /^\$ (.+)$/ },
    ],
    busy: [{ where: 'above', line: /\(\d.*• .*to interrupt\)$/, dim: true }],
    background: [/\b\d+ background terminals?(?= running\b)/],
    fresh: { banner: /^ {2}>_ OpenAI Codex \(v/, said: /^[›•■] \S/ },
    stopped: /^■ Conversation interrupted\b/,
  },
  // One app-server per CODEX_HOME would read env_key in its own environment and send one pane's key for all, hence
  // daemon_auto_start=false.
  // A config of the person's or the project's loses to -c (0.171.0), but of two -c the last one counts.
  // images go with the first prompt; `resume` is the only command that continues a conversation
  resume: {
    words: (id) => ['resume', id],
    known: 'wire',
    options: {
      flag: [
        '--approve-for-me',
        '--dangerously-bypass-approvals-and-sandbox',
        '--dangerously-bypass-hook-trust',
        '--no-alt-screen',
        '--no-daemon',
        '--oss',
        '--search',
        '--strict-config',
      ],
      value: [
        '-a',
        '--ask-for-approval',
        '-c',
        '--config',
        '-C',
        '--cd',
        '--add-dir',
        '--disable',
        '--enable',
        '--local-provider',
        '-m',
        '--model',
        '-p',
        '--profile',
        '-s',
        '--sandbox',
      ],
      drop: ['--last', '--all', '--include-non-interactive'],
      'drop-values': ['-i', '--image'],
      never: ['--remote', '--worktree'],
    },
    opens: [],
    commands: [
      'agents',
      'app-server',
      'apply',
      'a',
      'archive',
      'cloud',
      'completion',
      'debug',
      'delete',
      'doctor',
      'e',
      'exec',
      'exec-server',
      'features',
      'fork',
      'help',
      'login',
      'logout',
      'mcp',
      'migrate-nfs-db',
      'migrate-rollouts',
      'plugin',
      'queue',
      'remote-control',
      'review',
      'sandbox',
      'unarchive',
      'update',
    ],
  },
  inbox: { versions: ['0.171.0'] },
  launch: ({ baseUrl, key, args, read }) => ({
    argv: [
      'codex',
      '-c',
      'model_provider="onward"',
      '-c',
      'model_providers.onward={name="Onward",base_url=' +
        `${quoted(`${baseUrl}/v1`)},wire_api="responses",env_key="ONWARD_KEY"}`,
      '-c',
      'features.daemon_auto_start=false',
      // its tools find this instead; the person's own rules for their environment stay
      '-c',
      'shell_environment_policy.set.ONWARD_KEY=""',
      ...args,
    ],
    env: { ONWARD_KEY: key },
    files: [],
    elsewhere: [
      ...givenOptions(args, ['-c', '--config'])
        .filter(({ value }) => /^\s*(?:model_provider\s*=|model_providers\.onward\b)/.test(value))
        .map(({ value }) => `-c ${value}`),
      ...args.filter((word) => word === '--oss'),
      ...(/^\s*(?:model_provider\s*=|\[model_providers\.onward\b)/m.test(read(managedConfig) ?? '')
        ? [managedConfig]
        : []),
    ],
  }),
}
