import type { FinishKind } from '../../../../shared/events.ts'
import { kindOfEnd } from '../finish-names.ts'

/**
 * `STOP` ends an answer with function calls too. A call that could not be read, or one too many, leaves an answer
 * unfinished, not failed: what was said is the client's, and it can go on from there. Google's own CLI asks again by
 * itself then (https://github.com/google-gemini/gemini-cli/pull/12965). It is no stop of the model's own will.
 */
export function finishOfCandidates(reasons: readonly (string | null)[], hasCalls: boolean): FinishKind {
  const kinds = reasons.map((reason) => kindOfEnd(reason, { calls: hasCalls, text: false, usage: false }))
  return kinds.find((kind) => kind !== 'stop' && kind !== 'tool-calls') ?? kinds[0] ?? 'incomplete'
}
