import { textOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts, ComposerPlace } from './types.ts'

const rule = /^─{20,}/

/**
 * The composer stands between two rules behind a `>`, in YOLO mode behind a `*`. Shell mode shows `!`: that is not
 * taken.
 */
function findComposer(view: ScreenView): ComposerPlace | null {
  if (!view.cursorVisible) return null
  const top = view.rows.findIndex(
    (row, y) => /^[>*]$/.test(row[0]?.char ?? '') && row[1]?.char === ' ' && rule.test(textOf(view.rows[y - 1])),
  )
  if (top < 0) return null
  const end = view.rows.findIndex((row, y) => y > top && rule.test(textOf(row)))
  return end < 0 ? null : { top, bottom: end - 1, left: 2 }
}

/** Qwen Code, measured with 0.24.4 in tmux and in a PTY. Its suggestion for the next message is ghost text. */
export const qwen: AgentFacts = {
  client: 'qwen',
  programs: ['qwen', 'qwen-code'],
  programPaths: [/\/@qwen-code\/qwen-code\//],
  gapMs: { short: 300, long: 500 },
  bracketedPaste: true,
  // One `@` behind white space, even alone, and every other `@` of the message is taken for a path as well.
  expands: [{ what: /(^|\s)((?:(?!\ufeff)\p{Cf})*)@/gu, plain: '$1$2\\@' }],
  screen: {
    findComposer,
    placeholder: /^Type your message or @path\/to\/file$/,
    ghostColors: [{ palette: 103 }, { rgb: 0x6c7086 }],
    pasteStandIn: /^\[Pasted Content \d+ chars\]$/,
    title: { busy: /^[◐◑◒◓]/u, dialog: /^✳/u },
    dialogs: [
      { line: /Waiting for user confirmation/, what: 'permission' },
      { line: /\bshell mode enabled\b/, what: 'shell mode' },
    ],
    busy: [/\besc to cancel\)/, /\bEnter to steer\b/],
    fresh: { banner: />_ Qwen Code \(v/, said: /^ {2}(?:> (?!\/)\S|◆)/u },
  },
  launch: ({ baseUrl, key, args }) => ({
    argv: ['qwen', '--auth-type', 'openai', ...args],
    env: { OPENAI_BASE_URL: `${baseUrl}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: 'default' },
    files: [],
  }),
}
