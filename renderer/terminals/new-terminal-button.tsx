import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'

/** Opens the form of a new terminal. */
export function NewTerminalButton({ quiet }: { quiet?: boolean }) {
  const { ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <Button
      does="openTerminal"
      tone={quiet ? undefined : 'primary'}
      icon="plus"
      disabled={!live}
      onClick={() => ui.setState({ dialog: { kind: 'new-terminal' } })}
    >
      {w.list.newTerminal}
    </Button>
  )
}
