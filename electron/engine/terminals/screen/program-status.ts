/**
 * Program Status Protocol, OSC 7501: `state=idle|working|done|blocked|clear` with `key=value` fields divided by `:`.
 * Claude Code asks `ESC ] 7501 ; ? BEL` at its start and reports only when answered; Codex reports unasked.
 */
export const statusOsc = 7501
/** Ends with ST, as Claude Code 2.1.330 expects it. */
export const statusAnswer = '\u001b]7501;?\u001b\\'

export interface ProgramStatus {
  state: 'idle' | 'working' | 'done' | 'blocked'
  /** what it is blocked on, e.g. `permission` */
  kind: string | null
  app: string | null
}

export type StatusMessage = { type: 'query' } | { type: 'report'; status: ProgramStatus | null } | { type: 'other' }

/** The payload after `7501;`. A `clear` is a report of no status. */
export function parseStatus(payload: string): StatusMessage {
  if (payload === '?') return { type: 'query' }
  const fields = new Map(
    payload.split(':').map((field) => {
      const at = field.indexOf('=')
      return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
    }),
  )
  const state = fields.get('state')
  switch (state) {
    case 'clear':
      return { type: 'report', status: null }
    case 'idle':
    case 'working':
    case 'done':
    case 'blocked':
      return { type: 'report', status: { state, kind: fields.get('kind') ?? null, app: fields.get('app') ?? null } }
    default:
      return { type: 'other' }
  }
}
