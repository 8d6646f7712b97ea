/** Sessions as the dashboard's list shows them: shape, agent, name, sentence, progress, last activity. */
import { shortIds } from '../../../shared/short-id.ts'
import { shapeGlyphs, type Sentences } from '../../../shared/sentences/index.ts'
import type { SessionView, StopMessageView } from '../../../shared/state.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { rows } from './columns.ts'
import type { Words } from './print.ts'

/** Needs you, then failed, come first (design README, principle 1); inside a group what moved last. */
const order: readonly SessionShape[] = ['needs', 'failed', 'working', 'held', 'paused', 'idle', 'done', 'gone']

export const sorted = <S extends SessionView>(sessions: readonly S[]): S[] =>
  [...sessions].sort(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) ||
      order.indexOf(a.shape) - order.indexOf(b.shape) ||
      b.lastActivityAt - a.lastActivityAt ||
      a.id.localeCompare(b.id),
  )

export const progressOf = (view: StopMessageView | null): string => (view ? `${view.used}/${view.max ?? '∞'}` : '')

/** Sessions of one folder share its name: beside such a name stands the id that commands take. */
export function sessionRows(
  sessions: readonly (SessionView & { machine?: string | null })[],
  words: Words,
  sentences: Sentences,
  now: number,
): string {
  const { style } = words
  const first = new Map(sessions.toReversed().map(({ id, name }) => [name, id]))
  const shared = new Set(sessions.filter(({ id, name }) => first.get(name) !== id).map(({ name }) => name))
  const alike = sessions.filter(({ name }) => shared.has(name))
  const short = shortIds(alike.map(({ id }) => id))
  const ids = new Map(alike.map(({ id }, i) => [id, short[i] ?? id]))
  return rows(
    sessions,
    [
      { text: (s) => shapeGlyphs[s.shape], paint: (text, s) => style.shape(s.shape, text), tight: true },
      { text: (s) => s.client, paint: style.quiet },
      { text: (s) => s.machine ?? '', paint: style.quiet, most: 20 },
      { text: (s) => s.name, paint: style.strong, gives: 12, most: 40 },
      { text: (s) => ids.get(s.id) ?? '', paint: style.quiet },
      { text: (s) => sentences.say(s.say, now), gives: 16 },
      { text: (s) => progressOf(s.stopMessage), align: 'right' },
      { text: (s) => sentences.figures.ago(now - s.lastActivityAt), align: 'right', paint: style.quiet },
    ],
    words.columns,
  )
}
