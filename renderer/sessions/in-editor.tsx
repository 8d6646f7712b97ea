import { useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'

/** Marks an agent that an editor drives: it has no screen, and is written to there. */
export function InEditor({ terminalId }: { terminalId: string | null }) {
  const { w } = useWords()
  const isAcp = useEngine((s) => terminalId !== null && s.terminals.get(terminalId)?.home === 'acp')
  if (!isAcp) return null
  return (
    <span className="meta" title={w.terminal.readOnlyAcp}>
      <Icon name="edit" /> {w.terminal.inEditor}
    </span>
  )
}
