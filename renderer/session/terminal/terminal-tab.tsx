import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TerminalBody } from '../../terminals/terminal-body.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { HeldBar } from './held-bar.tsx'
import { LeftGoalBar } from './left-goal-bar.tsx'

export function TerminalTab({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const terminal = useEngine((s) => (session.terminalId === null ? undefined : s.terminals.get(session.terminalId)))
  return (
    <div id="panel-terminal" role="tabpanel" aria-labelledby="tab-terminal" style={{ display: 'contents' }}>
      {terminal ? (
        <>
          <TerminalBody key={terminal.id} terminal={terminal} />
          <HeldBar session={session} terminal={terminal} />
          <LeftGoalBar session={session} />
        </>
      ) : (
        <Empty icon="term" title={w.terminal.none} text={w.terminal.noneText}>
          <Button
            tone="primary"
            icon="plus"
            disabled={!live}
            onClick={() => ui.setState({ dialog: { kind: 'new-terminal' } })}
          >
            {w.list.newTerminal}
          </Button>
          <CopyLine text={`onward ${session.client === 'other' ? 'run -- …' : session.client}`} />
        </Empty>
      )}
    </div>
  )
}
