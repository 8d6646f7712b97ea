import { useEngine, useWords } from '../app-context.ts'
import { OpenFirstRun } from '../first-run/open-button.tsx'
import { CommandLine, CopyLine } from '../parts/copy-line.tsx'
import { NewTerminalButton } from '../terminals/new-terminal-button.tsx'
import { Empty } from '../parts/empty.tsx'

/** The detail before there is anything in it: how to bring a first agent here, or which session to look at. */
export function NothingChosen() {
  const { w } = useWords()
  const any = useEngine((s) => s.sessions.size + s.terminals.size > 0)
  const known = useEngine((s) => s.status !== null)
  if (!known) return null
  return any ? <Empty icon="list" title={w.empty.choose} text={w.empty.chooseText} /> : <Welcome />
}

export function Welcome() {
  const { w } = useWords()
  const address = useEngine((s) => (s.status ? `http://${s.status.host}:${s.status.port}` : null))
  return (
    <Empty icon="term" title={w.empty.title} text={w.empty.text}>
      <div className="hstack">
        <OpenFirstRun tone="primary" />
        <NewTerminalButton quiet />
      </div>
      <CommandLine text={w.empty.line} />
      {address && <CopyLine text={address} />}
    </Empty>
  )
}
