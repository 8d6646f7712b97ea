import { textOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts } from './types.ts'

type OfAgent = Pick<AgentFacts, 'screen'>

/**
 * The screen shows a conversation in which nothing was said yet: the client's banner, and nothing said below it. After
 * a `/new` or `/clear` nothing on the wire tells of the new conversation until somebody speaks in it. Only a banner
 * proves it: the screen of a long conversation shows none, and is not fresh.
 */
export function isFresh(view: ScreenView, { screen }: OfAgent): boolean {
  const shown = conversationOn(view, { screen })
  return (shown?.begins && !shown.rows.some((line) => screen?.fresh.said.test(line))) ?? false
}

/** The last thing that the conversation shows is that its person broke the turn off. */
export function isStopped(view: ScreenView, { screen }: OfAgent): boolean {
  const { stopped, fresh, gaveUp } = screen ?? {}
  const rows = conversationOn(view, { screen })?.rows ?? []
  const at = stopped ? rows.findLastIndex((line) => stopped.test(line)) : -1
  return at >= 0 && !gaveUp?.(rows.slice(0, at)) && !rows.slice(at + 1).some((line) => fresh?.said.test(line))
}

/**
 * The rows of the conversation: above the composer, and below the banner where that is to be seen, because what stands
 * above a banner is of another conversation. Null where the composer is not known.
 */
export function conversationOn(
  view: ScreenView,
  { screen }: OfAgent,
): { rows: readonly string[]; begins: boolean } | null {
  const place = screen?.findComposer(view)
  if (!screen || !place) return null
  const lines = view.rows.slice(0, place.top).map((row) => textOf(row, place.from))
  const from = lines.findLastIndex((line) => screen.fresh.banner.test(line))
  return { rows: lines.slice(from + 1), begins: from >= 0 }
}
