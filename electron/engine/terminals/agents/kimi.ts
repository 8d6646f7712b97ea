import { textOf, type ScreenView } from '../screen/view.ts'
import { givenOptions } from './person-settings.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

/**
 * A box whose first row is ` │ > `; further rows of a draft are indented by as much. The upper edge says how much of a
 * long draft is scrolled away. Shell mode shows `!`. It draws its own cursor: the terminal's is hidden, but stands at
 * the same place.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  const line = (y: number) => textOf(view.rows[y])
  const top = view.rows.findLastIndex((_, y) => `${line(y)} `.startsWith(' │ > ') && /^ [╭├]─.*[╮┤]$/.test(line(y - 1)))
  const end = top < 0 ? -1 : view.rows.findIndex((_, y) => y > top && /^ ╰─.*╯$/.test(line(y)))
  return end < 0 ? null : { top, bottom: end - 1, left: 5, right: line(top - 1).length - 1 }
}

/** Kimi Code CLI, measured with 2.1.0 in tmux and in a PTY. It sets no title but the session's. */
export const kimi: AgentFacts = {
  client: 'kimi',
  endGoal: '/goal cancel',
  // its process calls itself kimi-code
  programs: ['kimi', 'kimi-code'],
  programPaths: [/\/@moonshot-ai\/kimi-code\//],
  gapMs: { short: 300, long: 500 },
  stoodMs: 0,
  bracketedPaste: true,
  // not measured: written so that an `@` begins no reference, as in agents of its kind
  expands: [{ what: /(^|\s)((?:(?!\ufeff)\p{Cf})*)@/gu, plain: '$1$2\\@' }],
  commands: [],
  screen: {
    findComposer,
    placeholder: null,
    ghostColors: [],
    pasteStandIn: /^\[paste #\d+ (?:\+\d+ lines|\d+ chars)\]$/,
    title: { busy: null, dialog: null },
    dialogs: [
      { line: /^ [╭├] ! shell mode ─/, what: 'shell mode' },
      { line: /↑\/?↓ (?:select|navigate)\b/, what: 'dialog' },
    ],
    // spinners of text and of moons right above the composer
    asks: [{ act: 'run', line: /^\$ (.+)$/ }],
    busy: [
      { where: 'above', line: /^ {1,2}[\u2801-\u28ff] / },
      { where: 'above', line: /^ {1,2}(?:🌑|🌒|🌓|🌔|🌕|🌖|🌗|🌘)/u },
    ],
    fresh: { banner: /\bWelcome to Kimi Code!/, said: /^ [✨●] (?!\/)\S/u },
  },
  // A model of the environment wins over its settings and needs no login.
  resume: null,
  launch: ({ baseUrl, key, args }) => ({
    argv: ['kimi', ...args],
    env: {
      KIMI_MODEL_NAME: 'default',
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: `${baseUrl}/v1`,
      KIMI_MODEL_API_KEY: key,
    },
    files: [],
    // a model of its settings, with that model's address (2.1.0)
    elsewhere: givenOptions(args, ['-m', '--model']).map(({ value }) => `--model ${value}`),
  }),
}
