import { SessionPane, Gone } from '../session/session-pane.tsx'
import type { Selection } from '../state/place.ts'
import { TerminalPane, useShownTerminal } from '../terminals/terminal-pane.tsx'

/** The selection of the list: a session, or a terminal. */
export function Detail({ selection }: { selection: Selection }) {
  const { terminal, session } = useShownTerminal(selection)
  if (terminal) return <TerminalPane terminal={terminal} session={session} />
  if (selection.kind === 'session') return <SessionPane key={selection.id} id={selection.id} tab={selection.tab} />
  return <Gone />
}
