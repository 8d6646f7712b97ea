import { useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { homeShort } from '../parts/home-short.ts'
import { Ticking } from '../time/ticking.tsx'
import type { TerminalView } from '../../shared/state.ts'
import type { RowPlace } from './session-row.tsx'

/** A terminal before its first turn: it has no session yet, but the person who opened it wants to see it. */
export function TerminalRow({
  place,
  terminal,
  selected,
  active,
  onOpen,
}: {
  place: RowPlace
  terminal: TerminalView
  selected: boolean
  active: boolean
  onOpen: () => void
}) {
  const { w, s, f } = useWords()
  const offline = useEngine((state) => state.link.kind === 'stopped')
  const { fresh } = terminal
  const shape = terminal.alive && !offline ? (fresh?.shape ?? 'idle') : 'gone'
  const waits = fresh && fresh.say.code !== 'idle' ? s.say(fresh.say, 0) : w.list.noTurnYet
  return (
    <div
      {...place}
      className={`row${active ? ' is-active' : ''}`}
      role="treeitem"
      aria-level={2}
      aria-selected={selected}
      onClick={onOpen}
    >
      <Shape shape={shape} name={s.shape(shape)} />
      <span className="row-name">
        <b title={terminal.name}>{terminal.name}</b>
        <span className="meta">{w.agents[terminal.client]}</span>
      </span>
      <span className="row-extra a cut">{homeShort(terminal.cwd)}</span>
      <span className="row-prog" />
      <span className={`row-say cut${shape === 'needs' ? ' needs' : ''}`}>
        {terminal.alive ? waits : w.list.endedTerminal}
      </span>
      <span className="row-extra cut" />
      <span className="row-side">
        <Ticking className="num" title={f.instant(terminal.openedAt)} text={(now) => f.ago(now - terminal.openedAt)} />
      </span>
    </div>
  )
}
