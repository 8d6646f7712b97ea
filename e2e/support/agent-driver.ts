import type { TestTmux } from './tmux.ts'

/** A person at a terminal: what they see, and keys they press. */
export interface AgentDriver {
  /** the visible rows as text */
  screen(): string
  /** characters one by one, as keys */
  type(text: string): void
  press(...keys: Key[]): void
}

export type Key = keyof typeof keys

/** Names of tmux, and the bytes a terminal sends for them. */
export const keys = {
  Enter: '\r',
  Escape: '\u001b',
  'C-c': '\u0003',
  'C-u': '\u0015',
  BSpace: '\u007f',
  Tab: '\t',
  Down: '\u001b[B',
  Left: '\u001b[D',
  '/': '/',
} as const

/** In front of a tmux pane. */
export const tmuxDriver = (tmux: TestTmux, pane: string): AgentDriver => ({
  screen: () => tmux.screen(pane),
  type: (text) => tmux.type(pane, text),
  press: (...names) => tmux.key(pane, ...names),
})

/** The last row that shows anything. */
export const lastRow = (screen: string): string => screen.trimEnd().split('\n').at(-1)?.trimEnd() ?? ''
