import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** Closing ends a program and can't be undone, so this one asks. */
export function CloseTerminal({ terminal, onClose }: { terminal: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const name = useEngine((s) => s.terminals.get(terminal)?.name ?? terminal)
  return (
    <Dialog title={w.terminal.closeTitle(name)} size={420} onClose={onClose}>
      <p className="t2">{w.terminal.closeText}</p>
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {w.terminal.keep}
        </Button>
        <Button
          tone="danger"
          disabled={!live}
          onClick={() => {
            onClose()
            void actions.closeTerminal(terminal)
          }}
        >
          {w.terminal.closeYes}
        </Button>
      </div>
    </Dialog>
  )
}
