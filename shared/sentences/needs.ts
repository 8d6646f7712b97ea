/** An agent's intended action on the subject of its request; without one it is a command to run. */
export const askedActs = ['run', 'edit', 'write', 'fetch', 'access', 'use'] as const
export type AskedAct = (typeof askedActs)[number]

/**
 * An agent's request comes from hooks, status reports and screens as one string: `permission`, `question` or `blocker`,
 * alone, with `: ` and the agent's own words (a command, a question), as `permission to edit: src/x.ts`, or as the
 * phrase “permission to run a command”. `calls-elsewhere` is Onward's own. Anything else is the agent's own words.
 */
export type Need =
  | { kind: 'act'; act: Exclude<AskedAct, 'run'>; detail: string }
  | { kind: 'permission' | 'question' | 'blocker'; detail: string | null }
  | { kind: 'phrase'; phrase: string }
  | { kind: 'words'; detail: string }
  /** not the agent's: it answers, and its calls do not come to Onward */
  | { kind: 'calls-elsewhere' }

export function parseNeed(what: string): Need {
  const text = what.trim()
  if (text === 'calls-elsewhere') return { kind: text }
  const act = /^permission to (edit|write|fetch|access|use): ([\s\S]*)$/.exec(text)
  const done = askedActs.find((one) => one === act?.[1])
  if (act?.[2] && done && done !== 'run') return { kind: 'act', act: done, detail: act[2] }
  if (/^permission to \S/i.test(text)) return { kind: 'phrase', phrase: text }
  const match = /^(?:an? )?(permission|question|blocker)(?:\s*:\s*([\s\S]*))?$/i.exec(text)
  if (!match) return { kind: 'words', detail: text }
  const kind = match[1]?.toLowerCase()
  const detail = match[2]?.trim() || null
  return kind === 'permission' || kind === 'question' ? { kind, detail } : { kind: 'blocker', detail }
}

/** The string of a permission that is asked for. */
export const permissionTo = (act: AskedAct, subject: string): string =>
  act === 'run' ? `permission: ${subject}` : `permission to ${act}: ${subject}`

/** Returns the subject of a request: the command, the file, the question. */
export function detailOf(what: string): string | null {
  const need = parseNeed(what)
  return 'detail' in need && need.kind !== 'words' ? need.detail : null
}
