import { textOf, type ScreenView } from '../screen/view.ts'
import type { AgentFacts } from './types.ts'

type OfAgent = Pick<AgentFacts, 'screen'>

/**
 * True if the screen shows a conversation in which nothing was said yet: the client's banner, and nothing said below
 * it. No request shows that a `/new` or `/clear` began a new conversation until a person speaks in it. Only a banner
 * proves it: the screen of a long conversation shows none, and is not fresh.
 */
export function isFresh(view: ScreenView, { screen }: OfAgent): boolean {
  const shown = conversationOn(view, { screen })
  return (shown?.begins && !shown.rows.some((line) => screen?.fresh.said.test(line))) ?? false
}

/** True if the conversation ends with the note that its person broke the turn off. */
export function isStopped(view: ScreenView, { screen }: OfAgent): boolean {
  const { stopped, fresh, gaveUp } = screen ?? {}
  const rows = conversationOn(view, { screen })?.rows ?? []
  const at = stopped ? rows.findLastIndex((line) => stopped.test(line)) : -1
  return at >= 0 && !gaveUp?.(rows.slice(0, at)) && !rows.slice(at + 1).some((line) => fresh?.said.test(line))
}

/**
 * Returns the rows of the conversation: above the composer, and below the banner if that is visible, because the rows
 * above a banner are another conversation's. Null if the composer is not known.
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
