import { linesOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts } from './types.ts'

/**
 * The screen shows a conversation in which nothing was said yet: the client's banner, and nothing said below it. After
 * a `/new` or `/clear` nothing on the wire tells of the new conversation until somebody speaks in it. Only a banner
 * proves it: the screen of a long conversation shows none, and is not fresh.
 */
export function isFresh(view: ScreenView, { screen }: Pick<AgentFacts, 'screen'>): boolean {
  const place = screen?.fresh ? screen.findComposer(view) : null
  if (!screen?.fresh || !place) return false
  const { banner, said } = screen.fresh
  const above = linesOf(view).slice(0, place.top)
  const from = above.findLastIndex((line) => banner.test(line))
  return from >= 0 && !above.slice(from + 1).some((line) => said.test(line))
}
