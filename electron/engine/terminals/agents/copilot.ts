import { textOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

const rule = /^─{20,}$/

/**
 * The composer stands between two rules and begins with a `❯`, at the right of its sidebar's edge where that is open.
 * Shell mode shows `!`, menus point from the second column on.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  if (!view.cursorVisible) return null
  const edge = `${textOf(view.rows[view.cursor.y])} `.indexOf('│❯ ') + 1
  const isRule = (y: number) => rule.test(textOf(view.rows[y], edge))
  const top = view.rows.findLastIndex(
    (row, y) => row[edge]?.char === '❯' && row[edge + 1]?.char === ' ' && isRule(y - 1),
  )
  if (top < 0) return null
  const end = view.rows.findIndex((_, y) => y > top && isRule(y))
  return end < 0 ? null : { top, bottom: end - 1, left: edge + 2, from: edge }
}

/**
 * GitHub Copilot CLI, measured with 1.0.102 (native program) in tmux and in a PTY. Its title says nothing of its state.
 */
export const copilot: AgentFacts = {
  client: 'copilot',
  programs: ['copilot', 'copilot-linux-x64'],
  programPaths: [/\/@github\/copilot(?:-[\w-]+)?\//],
  gapMs: { short: 300, long: 500 },
  stoodMs: 0,
  bracketedPaste: true,
  // not measured: written so that an `@` begins no reference, as in agents of its kind
  expands: [{ what: /(^|\s)((?:(?!\ufeff)\p{Cf})*)@/gu, plain: '$1$2\\@' }],
  commands: ['exit', 'quit', 'help'],
  screen: {
    findComposer,
    placeholder: null,
    ghostColors: [],
    pasteStandIn: null,
    title: { busy: null, dialog: null },
    dialogs: [
      { line: /\besc exit shell mode\b|^ Shell · /, what: 'shell mode' },
      { line: /↑\/↓ .*\besc (?:to )?cancel\b/, what: 'dialog' },
    ],
    asks: [{ act: 'run', line: /^Do you want to run this command\?$/, stands: 'last' }],
    busy: [
      { where: 'below', line: /^ \S (?:Working|Cancelling)\b/ },
      { where: 'below', line: /\besc (?:edit prompt|interrupt)\b/ },
    ],
    fresh: { banner: /\bCopilot v\d/, said: /^ ❯ (?!\/)\S/ },
  },
  // Its own provider setting, which takes the place of a GitHub login.
  resume: null,
  launch: ({ baseUrl, key, args }) => ({
    argv: ['copilot', ...args],
    env: {
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${baseUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      // otherwise it would be sent in place of the key
      COPILOT_PROVIDER_BEARER_TOKEN: '',
      COPILOT_MODEL: 'default',
    },
    files: [],
  }),
}
