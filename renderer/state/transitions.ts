import type { SessionSay, SessionView } from '../../shared/state.ts'
import type { SessionShape } from '../../shared/words.ts'

/** A change of state that is announced: into needs-you, failed or done, and nothing else (design README). */
export interface Transition {
  sessionId: string
  name: string
  shape: Extract<SessionShape, 'needs' | 'failed' | 'done'>
  say: SessionSay
}

export function transitionsOf(before: SessionView | undefined, after: SessionView): Transition[] {
  const { shape } = after
  // A session seen for the first time is no change: a page that opens would read out the whole list.
  if (!before || before.shape === shape || (shape !== 'needs' && shape !== 'failed' && shape !== 'done')) return []
  return [{ sessionId: after.id, name: after.name, shape, say: after.say }]
}
