/** The closed vocabularies both sides use. Nothing else may invent a synonym. */

/** Agent programs Onward knows by name. `other` is any SDK program or a command started with `onward run`. */
export const clientKinds = [
  'claude',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'copilot',
  'kimi',
  'kilo',
  'other',
] as const
export type ClientKind = (typeof clientKinds)[number]

/** Wire protocols a client can speak to the proxy. `gemini` is generateContent of the Gemini API. */
export const entryProtocols = ['chat', 'responses', 'messages', 'gemini'] as const
export type EntryProtocol = (typeof entryProtocols)[number]

/**
 * The kind of a request, decided once before anything is injected. Only `turn` drives automation. `aside`: an agent
 * asks something beside its conversation.
 */
export const requestKinds = ['turn', 'subagent', 'title', 'compaction', 'count', 'probe', 'aside', 'warm'] as const
export type RequestKind = (typeof requestKinds)[number]

/**
 * The key of a terminal: `tmux:<sessionId>`, `tmux:<sessionId>:%<pane>` or `pty:<terminalId>`; `session:<id>` only in
 * reenter mode.
 */
export type Scope = `tmux:${string}` | `pty:${string}` | `session:${string}`

/** The states of a session in dashboard, tray and CLI: a shape, a colour and a word each (design README). */
export const sessionShapes = ['working', 'needs', 'held', 'idle', 'done', 'failed', 'paused', 'gone'] as const
export type SessionShape = (typeof sessionShapes)[number]

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]
