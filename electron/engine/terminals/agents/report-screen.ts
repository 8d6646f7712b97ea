import { linesOf, type ScreenView } from '../screen/view.ts'
import { screenReport } from '../screen/screen-report.ts'
import { recognise } from './recognise.ts'
import type { AgentFacts, ScreenState } from './types.ts'

/** Modes as the agents name them in their last rows. A closed list: a word of a person's is no other than these. */
const modes =
  /\b(plan mode|plan|accept edits|auto-accept|auto edit|auto-edit|auto mode|manual mode|ask permissions|bypass permissions|full access|yolo|shell mode|insert|normal|visual)\b/i
const footerRows = 8

/** Returns an agent's screen in a form that may be shown to a stranger. */
export function reportScreen(view: ScreenView, agent: AgentFacts, from: 'tmux' | 'pty'): string {
  const lines = linesOf(view).filter((line) => line.trim() !== '')
  const banner = lines.find((line) => agent.screen?.fresh.banner.test(line))
  const footer = lines.slice(-footerRows).findLast((line) => modes.test(line)) ?? ''
  return screenReport(view, {
    from,
    client: agent.client,
    version: /\d+\.\d+\.\d+/.exec(banner ?? '')?.[0] ?? null,
    read: readAs(recognise(view, agent)),
    mode: modes.exec(footer)?.[1]?.toLowerCase() ?? null,
  })
}

function readAs(state: ScreenState): string {
  if (state.kind === 'unknown') return [state.kind, state.seen, state.sign].filter(Boolean).join(' ')
  return `${state.kind}, composer ${state.composer.kind}`
}
