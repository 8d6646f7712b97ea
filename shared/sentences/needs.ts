/**
 * What an agent asks for comes from hooks, status reports and screens as one string: `permission`, `question` or
 * `blocker`, alone, with `: ` and the agent's own words (a command, a question), or as the phrase “permission to run
 * a command”. Anything else is the agent's own words.
 */
export type Need =
  | { kind: 'permission' | 'question' | 'blocker'; detail: string | null }
  | { kind: 'phrase'; phrase: string }
  | { kind: 'words'; detail: string }

export function parseNeed(what: string): Need {
  const text = what.trim()
  if (/^permission to \S/i.test(text)) return { kind: 'phrase', phrase: text }
  const match = /^(?:an? )?(permission|question|blocker)(?:\s*:\s*([\s\S]*))?$/i.exec(text)
  if (!match) return { kind: 'words', detail: text }
  const kind = match[1]?.toLowerCase()
  const detail = match[2]?.trim() || null
  return kind === 'permission' || kind === 'question' ? { kind, detail } : { kind: 'blocker', detail }
}
