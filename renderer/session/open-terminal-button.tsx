import { useApp, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import type { SessionView } from '../../shared/state.ts'

/** Leads to the session's terminal; nothing where it has none. */
export function OpenTerminalButton({ session, primary = false }: { session: SessionView; primary?: boolean }) {
  const { navigation } = useApp()
  const { w } = useWords()
  if (session.terminalId === null) return null
  return (
    <Button
      {...(primary && { tone: 'primary' })}
      onClick={() =>
        navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'terminal' } })
      }
    >
      {w.card.openTerminal}
    </Button>
  )
}
