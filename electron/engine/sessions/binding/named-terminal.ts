import { turnMetadata } from '../identify/codex-turn-metadata.ts'
import type { RequestFacts } from '../types.ts'

/** A hand-started client's words about its terminal. `pane` is set when an exact pane id was given with it. */
export interface NamedTerminal {
  tmux: { session: string | null; pane: string | null; source: string } | null
  daemonId: string | null
}

const tmuxHeaders = [
  'x-tmux-session-id',
  'x-routecodex-tmux-session-id',
  'x-rcc-tmux-session-id',
  'x-routecodex-client-tmux-session-id',
  'x-rcc-client-tmux-session-id',
] as const
const turnFields = ['tmuxSessionId', 'tmux_session_id'] as const
const bodyFields = ['clientTmuxSessionId', 'tmuxSessionId', 'tmux_session_id'] as const
/** tmux allows almost anything in a session's name, but no client needs more than this */
const longest = 256

/** Returns the terminal a request names: in a header, else in its key, else in its body. Nothing is checked here. */
export function namedTerminal(facts: RequestFacts): NamedTerminal {
  const suffix = facts.caller.kind === 'local' ? facts.caller.suffix : null
  return {
    tmux: fromHeaders(facts) ?? place(suffix?.tmuxSessionId, 'key suffix') ?? fromBody(facts),
    daemonId: suffix?.daemonId || null,
  }
}

function fromHeaders(facts: RequestFacts) {
  for (const header of tmuxHeaders) {
    const named = facts.headers[header]
    const found = named === undefined ? null : place(named, `header ${header}`)
    if (found) return found
  }
  return null
}

function fromBody(facts: RequestFacts) {
  const metadata = turnMetadata(facts)
  if (metadata)
    for (const field of turnFields) {
      const found = place(metadata[field], `x-codex-turn-metadata ${field}`)
      if (found) return found
    }
  for (const field of bodyFields) {
    const named = facts.value(field)
    const found = named === undefined ? null : place(named, `body ${field}`)
    if (found) return found
    const beside = facts.value('metadata', field)
    const within = beside === undefined ? null : place(beside, `body metadata.${field}`)
    if (within) return within
  }
  return null
}

/** `main`, `$3`, `%7`, or `main:%7`. */
function place(value: unknown, source: string): NamedTerminal['tmux'] {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '' || text.length > longest) return null
  const exact = /^(?:(.+):)?(%\d+)$/.exec(text)
  return exact ? { session: exact[1] ?? null, pane: exact[2] ?? null, source } : { session: text, pane: null, source }
}
