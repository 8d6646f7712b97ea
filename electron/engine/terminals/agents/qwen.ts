import { join } from 'node:path'
import { textOf, type ScreenView } from '../screen/view.ts'
import { givenOptions, jsonFile } from './person-settings.ts'
import { named } from './resume.ts'
import { tallerThanScreen } from './taller-than-screen.ts'
import { signalHooks } from '../signals/signal-hooks.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

const rule = /^─{20,}/

/**
 * The composer stands between two rules and begins with a `>`, in YOLO mode with a `*`. Shell mode shows `!`: that is
 * not matched. A text taller than the screen fills it from its first row on.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  if (!view.cursorVisible) return null
  const top = view.rows.findIndex(
    (row, y) => /^[>*]$/.test(row[0]?.char ?? '') && row[1]?.char === ' ' && rule.test(textOf(view.rows[y - 1])),
  )
  if (top < 0) return tallerThanScreen(view, { indent: 2, prompt: /^[>*]$/, edge: rule })
  const end = view.rows.findIndex((row, y) => y > top && rule.test(textOf(row)))
  return end < 0 ? null : { top, bottom: end - 1, left: 2 }
}

/**
 * The text of an empty composer, in each language Qwen Code 0.24.4 has (its package's `locales`), out of vim mode and
 * in it. Without colours (NO_COLOR, CI) nothing else distinguishes it from a person's words.
 */
const placeholder = new RegExp(
  `^(?:${[
    'Type your message or @path/to/file',
    "Press 'i' for INSERT mode and 'Esc' for NORMAL mode.",
    'Escriviu el vostre missatge o @camí/al/fitxer',
    "Premeu 'i' per al mode INSERCIÓ i 'Esc' per al mode NORMAL.",
    'Nachricht eingeben oder @Pfad/zur/Datei',
    "Drücken Sie 'i' für den EINFÜGE-Modus und 'Esc' für den NORMAL-Modus.",
    'Tapez votre message ou @chemin/vers/fichier',
    "Appuyez sur 'i' pour le mode INSERTION et 'Esc' pour le mode NORMAL.",
    'メッセージを入力、@パス/ファイルでファイルを添付(D&D対応)',
    "'i' でINSERTモード、'Esc' でNORMALモード",
    'Digite sua mensagem ou @caminho/do/arquivo',
    "Pressione 'i' para modo INSERÇÃO e 'Esc' para modo NORMAL.",
    'Введите сообщение или @путь/к/файлу',
    "Нажмите 'i' для режима ВСТАВКА и 'Esc' для ОБЫЧНОГО режима.",
    '输入您的消息或 @ 文件路径',
    '輸入您的消息或 @ 檔案路徑',
    "按 'i' 进入插入模式，按 'Esc' 进入普通模式",
  ]
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')})$`,
)

/** Qwen Code, measured with 0.24.4 in tmux and in a PTY. Its suggestion for the next message is ghost text. */
export const qwen: AgentFacts = {
  client: 'qwen',
  programs: ['qwen', 'qwen-code'],
  programPaths: [/\/@qwen-code\/qwen-code\//],
  gapMs: { short: 50, long: 500 },
  stoodMs: 30,
  bracketedPaste: true,
  // After one `@` that follows white space, even alone, every other `@` of the message is taken for a path as well.
  expands: [{ what: /(^|\s)((?:(?!\ufeff)\p{Cf})*)@/gu, plain: '$1$2\\@' }],
  commands: ['exit', 'quit', ':q', ':q!', ':wq', ':wq!'],
  compact: '/compress',
  endGoal: '/goal clear',
  screen: {
    findComposer,
    placeholder,
    ghostColors: [{ palette: 103 }, { rgb: 0x6c7086 }],
    pasteStandIn: /^\[Pasted Content \d+ chars\]$/,
    title: { busy: /^[◐◑◒◓]/u, dialog: /^✳/u },
    dialogs: [
      { line: /Waiting for user confirmation/, what: 'permission' },
      { line: /\bshell mode enabled\b/, what: 'shell mode' },
    ],
    asks: [
      { act: 'edit', line: /^\? Edit (.+?)(?:\s+←)?$/ },
      { act: 'write', line: /^\? WriteFile Writing to (.+?)(?:\s+←)?$/ },
      { act: 'fetch', line: /^\? WebFetch\b.*?(https?:\/\/[^\s"]+)/ },
      { act: 'run', line: /^\? (?:Shell|运行命令) /, stands: 'last' },
    ],
    busy: [
      { where: 'above', line: /^ {2}(?:[\u2800-\u28ff.]{1,3} .*)?\((?:[^()]* · )?esc to cancel\)/ },
      { where: 'below', line: /^ {2}Enter to steer · Ctrl\+Q to queue/ },
    ],
    background: [/(?<=^ {2}| · )\d+ (?:shells?|monitors?|agents?|tasks?)(?=$| · )/],
    fresh: { banner: />_ Qwen Code \(v/, said: /^ {2}(?:> (?!\/)\S|◆)/u },
    stopped: /\bRequest cancelled\.$/,
  },
  // `modelProviders` in a person's or a project's settings wins over the environment, the system's over both (0.24.4).
  // its requests name no conversation: it is started under a name
  resume: {
    words: (id) => ['--resume', id],
    known: 'argument',
    options: {
      flag: [
        '--debug',
        '-d',
        '--experimental-lsp',
        '--openai-logging',
        '--safe-mode',
        '--screen-reader',
        '-y',
        '--yolo',
      ],
      value: [
        '--approval-mode',
        '--auth-type',
        '--output-style',
        '-m',
        '--model',
        '--max-session-turns',
        '--max-subagent-depth',
        '--max-tool-calls',
        '--mcp-config',
        '--openai-api-key',
        '--openai-base-url',
        '--openai-logging-dir',
        '--append-system-prompt',
        '--system-prompt',
      ],
      values: [
        '--add-dir',
        '--allowed-mcp-server-names',
        '--allowed-tools',
        '--core-tools',
        '--disabled-slash-commands',
        '-e',
        '--exclude-tools',
        '--fallback-model',
        '--extensions',
        '--include-directories',
      ],
      drop: ['-c', '--continue', '--fork-session'],
      'drop-value': ['-i', '--prompt-interactive', '--session-id'],
      'drop-maybe': ['-r', '--resume'],
      never: ['-p', '--prompt', '--acp', '--chat-recording', '-s', '--sandbox', '--worktree'],
    },
    opens: ['-c', '--continue', '-r', '--resume', '--session-id'],
    // it ends after answering a prompt in its first word
    commands: [],
    first: 'never',
  },
  launch: (input) => {
    const { baseUrl, key, args, folder, conversation } = input
    const hooks = signalHooks(input)
    const settings = join(folder, 'qwen-settings.json')
    return {
      argv: ['qwen', '--auth-type', 'openai', ...named(qwen.resume, args, conversation)],
      env: { ONWARD_KEY: key, QWEN_CODE_SYSTEM_SETTINGS_PATH: settings },
      files: [
        jsonFile(settings, {
          security: { auth: { selectedType: 'openai', enforcedType: 'openai' } },
          model: { name: 'default' },
          ...(hooks && { hooks }),
          modelProviders: { openai: [{ id: 'default', baseUrl: `${baseUrl}/v1`, envKey: 'ONWARD_KEY' }] },
        }),
      ],
      elsewhere: givenOptions(args, ['--openai-base-url']).map(({ value }) => `--openai-base-url ${value}`),
    }
  },
}
