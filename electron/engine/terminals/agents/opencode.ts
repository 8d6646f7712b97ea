import { textOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts, AskRule, ComposerPlace } from './types.ts'

/**
 * A box with `┃` as its left edge and `╹▀▀▀` below. Its last row but none names agent and model (`Build · Model`),
 * or `Shell` in shell mode; the text stands above it with a blank row around.
 */
export const findComposerBy =
  (name: RegExp) =>
  (view: ScreenView): ComposerPlace | null => {
    if (!view.cursorVisible) return null
    const edge = view.rows.findIndex((row) => /^\s*╹▀{10,}/.test(textOf(row)))
    const column = edge < 0 ? -1 : (view.rows[edge] ?? []).findIndex((cell) => cell.char === '╹')
    if (column < 0) return null
    const label = edge - 1
    if (!name.test(textOf(view.rows[label], column + 1))) return null
    let top = label
    while (isEdge(view.rows[top - 1], column)) top--
    // the rows around the text are padding
    return label - top < 3 ? null : { top: top + 1, bottom: label - 2, left: column + 3 }
  }

/** The left edge only: a menu that opens right above the composer has one at its right as well. */
const isEdge = (row: ScreenView['rows'][number] | undefined, column: number): boolean =>
  row?.[column]?.char === '┃' && !textOf(row, column + 1).endsWith('┃')

/** Each permission has a row with a sign of its own; a command stands further down. */
export const permissionRows: readonly AskRule[] = [
  { act: 'edit', line: /^→ (?:Edit|Write|Patch) (.+)$/ },
  { act: 'fetch', line: /^% WebFetch (.+)$/ },
  { act: 'access', line: /^← Access external directory (.+)$/ },
  { act: 'run', line: /^\$ (.+)$/ },
]

/** opencode, measured with 1.18.33 in tmux and in a PTY. */
export const opencode: AgentFacts = {
  client: 'opencode',
  programs: ['opencode'],
  programPaths: [/\/opencode-ai\//],
  gapMs: { short: 50, long: 500 },
  stoodMs: 30,
  bracketedPaste: true,
  expands: [],
  commands: ['exit', 'quit', ':q'],
  screen: {
    findComposer: findComposerBy(/\S · \S/),
    placeholder: /^Ask anything…/,
    ghostColors: [{ palette: 8 }, { rgb: 0x808080 }],
    pasteStandIn: /^\[Pasted ~\d+ lines\]$/,
    title: { busy: null, dialog: null },
    dialogs: [
      // after “Allow always” it asks once more
      { line: /△ (?:Permission required|Always allow)/, what: 'permission' },
      { line: /\besc exit shell mode\b/, what: 'shell mode' },
      { line: /\besc dismiss\b/, what: 'dialog' },
    ],
    asks: permissionRows,
    busy: [
      { where: 'below', line: /\besc (?:again to )?interrupt\b/ },
      // beside a long error that is broken over lines between two tries
      { where: 'below', line: /\[retrying\b|\battempt #\d+\]/ },
    ],
    fresh: { banner: /█▀▀█ █▀▀█ █▀▀█ █▀▀▄/, said: /^ {2}┃ {2}\S/ },
    // agent and model; then the time of a turn that ended, or nothing if it failed or was broken off
    stopped: /^ {5}▣ {2}[^·]+ · [^·]+(?: · interrupted)?$/u,
    gaveUp: endsInError,
  },
  resume: {
    words: (id) => ['--session', id],
    known: 'wire',
    options: {
      flag: ['--auto', '--mdns', '--mini', '--no-replay', '--print-logs', '--pure'],
      value: ['--agent', '--hostname', '--log-level', '--mdns-domain', '-m', '--model', '--port', '--replay-limit'],
      drop: ['-c', '--continue', '--fork'],
      'drop-value': ['--prompt', '-s', '--session'],
    },
    opens: ['-s', '--session'],
    commands: [
      'acp',
      'agent',
      'attach',
      'auth',
      'completion',
      'db',
      'debug',
      'export',
      'github',
      'import',
      'mcp',
      'models',
      'plug',
      'plugin',
      'pr',
      'providers',
      'run',
      'serve',
      'session',
      'stats',
      'uninstall',
      'upgrade',
      'web',
    ],
    first: 'folder',
  },
  launch: ({ baseUrl, key, args }) => ({
    argv: ['opencode', ...args],
    env: { ONWARD_KEY: key, OPENCODE_CONFIG_CONTENT: launchConfigOf(baseUrl, ['build', 'plan']) },
    files: [],
  }),
}

/** The key is read from the environment. */
export const configOf = (baseUrl: string) => ({
  model: 'onward/default',
  small_model: 'onward/default',
  provider: {
    onward: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Onward',
      options: { baseURL: `${baseUrl}/v1`, apiKey: '{env:ONWARD_KEY}' },
      models: { default: { name: 'Onward' } },
    },
  },
})

/**
 * Merged over the person's own configuration and the project's, for one process (opencode 1.18.33). All other providers
 * are switched off, so that no call goes past Onward: from an agent with a model of its own, or because `onward` is not
 * among the person's `enabled_providers`.
 */
export const launchConfigOf = (baseUrl: string, agents: readonly string[]): string =>
  JSON.stringify({
    ...configOf(baseUrl),
    enabled_providers: ['onward'],
    disabled_providers: [],
    agent: Object.fromEntries(agents.map((name) => [name, { model: 'onward/default' }])),
  })

const isBoxed = (row: string): boolean => row.startsWith('  ┃')

/**
 * True if an error stands in a box of its own after the message or the work on it. The box of the message itself
 * follows the turn before or nothing, and that of a tool has a title.
 */
function endsInError(rows: readonly string[]): boolean {
  const end = rows.findLastIndex((row) => row.trim() !== '')
  const before = rows.findLastIndex((row, at) => at <= end && !isBoxed(row))
  const box = rows.slice(before + 1, end + 1).map((row) => row.replace('┃', '').trim())
  const above = rows.slice(0, before + 1).findLast((row) => row.trim() !== '')
  const isOwnWords = above === undefined || above.includes('▣')
  return box.length > 0 && !isOwnWords && box.find((text) => text !== '')?.startsWith('#') === false
}
