import { useWords } from '../../app-context.ts'
import { CommandLine } from '../../parts/copy-line.tsx'
import { NewTerminalButton } from '../../terminals/new-terminal-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Offered } from '../../parts/offered.tsx'
import { AdoptPanes } from './adopt-panes.tsx'
import type { SessionView } from '../../../shared/state.ts'

/** The terminal's tab of a session that has none. */
export function NoTerminal({ session }: { session: SessionView }) {
  const { w } = useWords()
  return (
    <div id="panel-terminal" role="tabpanel" aria-labelledby="tab-terminal" style={{ display: 'contents' }}>
      <Empty icon="term" title={w.terminal.none} text={w.terminal.noneText}>
        <NewTerminalButton />
        <CommandLine text={`onward ${session.client === 'other' ? 'run -- …' : session.client}`} />
        <Offered to="adoptPane">
          <AdoptPanes session={session} />
        </Offered>
      </Empty>
    </div>
  )
}
