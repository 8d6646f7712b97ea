import { join } from 'node:path'
import { textOf, type ScreenView } from '../screen/view.ts'
import { signalHooks, type HookForm } from '../signals/signal-hooks.ts'
import { jsonFile } from './person-settings.ts'
import { named } from './resume.ts'
import { tallerThanScreen } from './taller-than-screen.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

/**
 * A tinted box: ` > ` (in YOLO mode ` * `) and the text, a row of padding (half blocks in true colour, blank otherwise)
 * above and below. Without colours (NO_COLOR) there are two rules in place of the box. A text taller than the screen
 * fills it from its first row on.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  const line = (y: number) => textOf(view.rows[y])
  const top = view.rows.findLastIndex(
    (row, y) =>
      row[0]?.char === ' ' &&
      /^[>*]$/.test(row[1]?.char ?? '') &&
      row[2]?.char === ' ' &&
      /^(?:▄*|─{20,})$/.test(line(y - 1)),
  )
  if (top < 0) return tallerThanScreen(view, { indent: 3, prompt: /^ [>*]$/, edge: /^(?:▀{20,}|─{20,})$/ })
  const below = line(top - 1) === '' ? '' : line(top - 1).startsWith('─') ? '─' : '▀'
  let bottom = top
  while (
    bottom + 1 < view.rows.length &&
    !(below === '' ? line(bottom + 1) === '' : line(bottom + 1).startsWith(below))
  )
    bottom++
  return bottom + 1 < view.rows.length ? { top, bottom, left: 3 } : null
}

/**
 * Gemini CLI 0.61.0 shows what it runs, by its name where there is one, and writes variables of the environment into
 * its settings as it reads them: the key would stand in the arguments of a process.
 */
const hookForm: HookForm = {
  events: { rests: 'AfterAgent', asks: 'Notification', ends: 'SessionEnd' },
  hook: (command) => ({
    type: 'command',
    name: 'onward',
    command: command.replace('"$ONWARD_KEY"', '"$(printenv ONWARD_KEY)"'),
  }),
}

/**
 * Gemini CLI, measured with 0.61.0 in tmux and in a PTY. Its title says `Ready` even while start-up dialogs are open.
 */
export const gemini: AgentFacts = {
  client: 'gemini',
  programs: ['gemini'],
  programPaths: [/\/@google\/gemini-cli\//],
  gapMs: { short: 50, long: 500 },
  // For 40 ms after a paste it makes a line break of Enter, and an instance that stalls meanwhile takes the paste late.
  stoodMs: 150,
  bracketedPaste: true,
  // Its own rule, a backslash before the `@` included (packages/cli, atCommandProcessor): `a@b.c` as well.
  expands: [{ what: /(?<!\\)@(?=[^ \t\n\r,;!?()[\]{}.]|\.(?![ \t\n\r]|$))/g, plain: '\\@' }],
  commands: [],
  compact: '/compress',
  screen: {
    findComposer,
    // the others are those of vim mode
    placeholder: /^(?:Type your message or @path\/to\/file|Press 'i' for INSERT mode\.|Press 'Esc' for NORMAL mode\.)$/,
    ghostColors: [{ palette: 248 }, { rgb: 0xafafaf }],
    pasteStandIn: /^\[Pasted Text: \d+ (?:chars|lines)\]$/,
    title: { busy: /^✦/u, dialog: /^✋/u },
    dialogs: [
      { line: /^ *shell mode enabled \(esc to disable\)/, what: 'shell mode' },
      { line: /\(Use Enter to select\)/, what: 'menu' },
      { line: /^ ?│ [●○]? *\d+\. /u, what: 'dialog' },
    ],
    asks: [
      { act: 'edit', line: /^\?\s+Edit\s+(.+?): / },
      { act: 'write', line: /^\?\s+WriteFile\s+Writing to (.+)$/ },
      { act: 'fetch', line: /^\?\s+WebFetch\b.*?(https?:\/\/[^\s"]+)/ },
      { act: 'run', line: /^\?\s+Shell\b/, stands: 'last' },
    ],
    // a tip of its work (ui.loadingPhrases) may be drawn over the spinner
    busy: [{ where: 'above', line: /^(?: (?:[^\s>] .*)?\(esc to cancel, |Tip: )/ }],
    background: [/\b\d+ Background process(?:es)?(?=$| )/],
    fresh: { banner: /\bGemini CLI v\d/, said: /^(?: > (?!\/)\S|✦ )/u },
    stopped: /^ℹ Request cancelled\./u,
  },
  // The auth type is read from a settings file only, and refused when its folders are writable by others. This one wins
  // over the person's and the project's, which may enforce another type.
  // its requests name no conversation: it is started under a name
  resume: {
    words: (id) => ['--resume', id],
    known: 'argument',
    options: {
      flag: [
        '--debug',
        '-d',
        '--raw-output',
        '--accept-raw-output-risk',
        '--screen-reader',
        '--skip-trust',
        '-y',
        '--yolo',
      ],
      value: [
        '--admin-policy',
        '--allowed-mcp-server-names',
        '--allowed-tools',
        '--approval-mode',
        '-e',
        '--extensions',
        '--include-directories',
        '-m',
        '--model',
        '--policy',
      ],
      'drop-value': ['-i', '--prompt-interactive', '--session-id', '--session-file'],
      'drop-maybe': ['-r', '--resume'],
      never: [
        '-p',
        '--prompt',
        '-s',
        '--sandbox',
        '-w',
        '--worktree',
        '--acp',
        '--experimental-acp',
        '--delete-session',
      ],
    },
    opens: ['-r', '--resume', '--session-id', '--session-file'],
    commands: ['extension', 'extensions', 'gemma', 'hook', 'hooks', 'mcp', 'skill', 'skills'],
  },
  launch: (input) => {
    const { baseUrl, key, args, folder, read, root, conversation } = input
    // it ignores a system settings file that is not root's (0.61.0)
    const hooks = root ? signalHooks(input, undefined, hookForm) : null
    const settings = join(folder, 'gemini-settings.json')
    const auth = { selectedType: 'gemini-api-key', enforcedType: 'gemini-api-key' }
    return {
      argv: ['gemini', ...named(gemini.resume, args, conversation)],
      env: {
        GOOGLE_GEMINI_BASE_URL: baseUrl,
        GEMINI_API_KEY: key,
        ...(hooks && { ONWARD_KEY: key }),
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: settings,
        // if it ignores the file, this choice is preset in its dialog
        GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
      },
      files: [jsonFile(settings, { security: { auth }, ...(hooks && { hooks }) })],
      elsewhere: root
        ? []
        : ['.gemini/settings.json', '~/.gemini/settings.json'].filter((path) =>
            /"(?:selectedType|enforcedType)"\s*:\s*"(?!gemini-api-key")/.test(read(path) ?? ''),
          ),
    }
  },
}
