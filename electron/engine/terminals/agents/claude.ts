import { join } from 'node:path'
import { textOf, type ScreenView } from '../screen/view.ts'
import { signalHooks } from '../signals/signal-hooks.ts'
import { givenOptions, jsonFile, settingsIn } from './person-settings.ts'
import type { AgentFacts, ComposerPlace, Launch, LaunchInput } from './types.ts'

/** A label at its left (`─── ↑ 8 more ───`, `── History 3/9 ──`), the session's name at its right (`── a name ─`). */
const topRule = /─$/
const scrolled = /^─+ (?:History \S+ · )?↑ \d+ more ─/
const bottomRule = /^─+(?: ↓ \d+ more ─+)?$/

/**
 * The composer stands between two rules; its prompt is `❯` and a no-break space, which distinguishes it from a menu's
 * pointer. Only the lower rule is known whole: a long name fills the upper one up to its last column. The prompt of a
 * long draft is scrolled away, and the rule above says so; in a very small pane its last rows are the last of the
 * screen.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  const above = (y: number) => textOf(view.rows[y - 1])
  const top = view.rows.findLastIndex(
    (row, y) =>
      scrolled.test(above(y)) || (row[0]?.char === '❯' && row[1]?.char === '\u00a0' && topRule.test(above(y))),
  )
  if (top < 0) return null
  const end = view.rows.findIndex((row, y) => y > top && bottomRule.test(textOf(row)))
  if (end >= 0) return { top, bottom: end - 1, left: 2 }
  return scrolled.test(above(top)) ? { top, bottom: view.rows.length - 1, left: 2 } : null
}

/**
 * Finds the input line of its agents view, for the task of a new session; its prompt has an ordinary space (2.1.332).
 */
function findTask(view: ScreenView): ComposerPlace | null {
  const footer = view.rows.findLastIndex((row) => /^ {2}enter to create\b/.test(textOf(row)))
  const top = view.rows.findLastIndex(
    (row, y) => y < footer && row[0]?.char === '❯' && topRule.test(textOf(view.rows[y - 1])),
  )
  return top < 0 ? null : { top, bottom: footer - 2, left: 2 }
}

/** After a turn that left sub-agents at work (2.1.332); it stays when they have ended. */
const waiting = /(?<=^\S Waiting for )\d+ background agents?(?= to finish$)/

/** Claude Code, measured with 2.1.330 (native program) in tmux and in a PTY. */
export const claude: AgentFacts = {
  client: 'claude',
  programs: ['claude'],
  programPaths: [/\/@anthropic-ai\/claude-code\//],
  // each conversation opened from its agents view is a process below it, whichever terminal shows it (2.1.332)
  daemon: / daemon run /,
  gapMs: { short: 50, long: 500 },
  stoodMs: 30,
  bracketedPaste: true,
  // after white space and 。、？！, also for files outside the folder; zero-width characters are dropped before
  expands: [
    { what: /(^|[\s。、？！])((?:(?!\ufeff)[\p{Cf}\p{Co}\p{Cn}])*)@(?=[\S\ufeff])/gu, plain: '$1$2\\@' },
    // words that start more thinking, workflows, sessions and reviews in the cloud; replaced as it does itself in texts
    // that no person typed (its package)
    { what: /(ultra)(code|plan|review|think)/gi, plain: '$1-$2' },
  ],
  // `exit` and what vim knows: its own list, white space around them trimmed
  commands: ['exit', 'quit', ':q', ':q!', ':wq', ':wq!'],
  compact: '/compact',
  endGoal: '/goal clear',
  screen: {
    findComposer,
    otherInput: findTask,
    placeholder: null,
    ghostColors: [{ palette: 246 }, { rgb: 0x999999 }],
    pasteStandIn: /^\[Pasted text #\d+(?: \+\d+ lines)?\]$/,
    // the idle title `✳ …` stays while a dialog is open, so it proves nothing
    title: { busy: /^[◐◑◒◓]/u, dialog: null, besides: waiting },
    dialogs: [
      { line: /\bEsc to cancel\b/, what: 'dialog' },
      { line: /\bEnter to (?:select|confirm)\b/, what: 'dialog' },
      // a question about a page has no footer
      { line: /^ [ ❯] \d\. No, and tell Claude what to do differently \(esc\)/, what: 'dialog' },
      { line: /^ {2}! for shell mode/, what: 'shell mode' },
    ],
    asks: [
      // below the command there may be a remark on it
      { act: 'run', line: /^Bash command\b/, stands: 'between-dashes' },
      { act: 'edit', line: /^Edit (?:file|notebook)$/, stands: 'next' },
      { act: 'write', line: /^(?:Create|Overwrite|Write) file$/, stands: 'next' },
      { act: 'fetch', line: /^url: (\S+)$/ },
      { act: 'use', line: /^(.+?):? \(MCP\)$/ },
      // only these are left of a change taller than the screen
      { act: 'edit', line: /^Do you want to make this edit to (.+)\?$/ },
      { act: 'write', line: /^Do you want to (?:create|overwrite) (.+)\?$/ },
    ],
    // the line that names the mode, which a status line of the person's own stands above
    busy: [{ where: 'below', line: /^ {2}[⏸⏵].* · esc to interrupt\b/u }],
    // in the footer, after the last turn, where it goes away again, and in the list of its agents below (2.1.332)
    background: [
      /(?<=^ {2}| · )\d+ (?:shells?|monitors?|[a-z ]*(?:tasks?|agents?|workflows?|sessions?))(?=$| · )/,
      /(?<= · )\d+ [a-z ]+(?= still running$)/,
      /(?<=^ {2}◯ )\S.*?(?= {2,}\d+[hms]\b)/u,
    ],
    fresh: { banner: /\bClaude Code v\d/, said: /^[❯●⏺>] (?!\/)\S/u },
    stopped: /^ {2}⎿ {2}Interrupted · What should Claude do instead\?/u,
  },
  resume: {
    words: (id) => ['--resume', id],
    known: 'wire',
    options: {
      flag: [
        '--allow-dangerously-skip-permissions',
        '--ax-screen-reader',
        '--bare',
        '--brief',
        '--chrome',
        '--dangerously-skip-permissions',
        '--disable-slash-commands',
        '--exclude-dynamic-system-prompt-sections',
        '--ide',
        '--no-chrome',
        '--restricted',
        '--safe-mode',
        '--strict-mcp-config',
        '--verbose',
      ],
      value: [
        '--agent',
        '--agents',
        '--append-system-prompt',
        '--autocompact',
        '--debug-file',
        '--effort',
        '--fallback-model',
        '--model',
        '-n',
        '--name',
        '--permission-mode',
        '--permission-prompts',
        '--plugin-dir',
        '--plugin-url',
        '--setting-sources',
        '--settings',
        '--system-prompt',
        '--system-prompt-snapshot',
      ],
      values: [
        '--add-dir',
        '--allowedTools',
        '--allowed-tools',
        '--betas',
        '--disallowedTools',
        '--disallowed-tools',
        '--mcp-config',
        '--tools',
      ],
      drop: ['-c', '--continue', '--fork-session'],
      'drop-value': ['--session-id'],
      'drop-maybe': ['-r', '--resume', '--from-pr'],
      // its value is stored nowhere, or given elsewhere
      never: [
        '-p',
        '--print',
        '--no-session-persistence',
        '--bg',
        '--background',
        '--cloud',
        '--teleport',
        '--tmux',
        '-w',
        '--worktree',
      ],
    },
    opens: ['-c', '--continue', '-r', '--resume', '--from-pr', '--session-id'],
    commands: [
      'agents',
      'attach',
      'auth',
      'auto-mode',
      'doctor',
      'gateway',
      'import',
      'install',
      'kill',
      'logs',
      'mcp',
      'plugin',
      'plugins',
      'purge',
      'respawn',
      'rm',
      'setup-token',
      'stop',
      'ultrareview',
      'update',
      'upgrade',
    ],
  },
  launch,
}

/** Each sends its calls elsewhere than to ANTHROPIC_BASE_URL; empty is off (2.1.332). */
const otherWays = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
  'CLAUDE_CODE_USE_GATEWAY',
  'ANTHROPIC_UNIX_SOCKET',
]
const managedSettings: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
}

/**
 * `env` in a person's and a project's settings wins over the environment, and `--settings` over both; of two the last
 * one counts alone, so a person's own is taken along in ours. An administrator's settings win over all (2.1.332).
 */
function launch(input: LaunchInput): Launch {
  const { baseUrl, key, args, keepsLogin, folder, read, platform } = input
  const env: Launch['env'] = {
    ...(keepsLogin
      ? { ANTHROPIC_BASE_URL: `${baseUrl}/t/${key}` }
      : { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: key }),
    // names the kind of each request: `x-claude-code-request-class` (docs/turns.md)
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
  }
  const given = givenOptions(args, ['--settings']).at(-1)
  const own = given && settingsIn(given.value.trimStart().startsWith('{') ? given.value : read(given.value))
  // it reports a value that it can't read itself
  const rest = given && own ? args.toSpliced(given.at, given.words) : args
  const path = join(folder, 'claude-settings.json')
  const hooks = signalHooks(input, own?.hooks)
  const off = Object.fromEntries(otherWays.map((name) => [name, '']))
  const settings = {
    ...own,
    ...(keepsLogin ? {} : { apiKeyHelper: '' }),
    env: { ...own?.env, ...off, ...(keepsLogin ? {} : { ANTHROPIC_API_KEY: '' }), ...env },
    ...(hooks && { hooks }),
  }
  const managed = managedSettings[platform] ?? '/etc/claude-code/managed-settings.json'
  const wins = Object.keys(settingsIn(read(managed))?.env ?? {}).some((name) => name in settings.env)
  return {
    argv: ['claude', '--settings', path, ...rest],
    env: { ...env, ...(hooks && { ONWARD_KEY: key }) },
    files: [jsonFile(path, settings)],
    elsewhere: wins ? [managed] : [],
  }
}
