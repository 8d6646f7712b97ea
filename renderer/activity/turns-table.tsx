import { useRef, useState, type KeyboardEvent } from 'react'
import { useWords } from '../app-context.ts'
import { useVirtual } from '../parts/use-virtual.ts'
import { Shape } from '../icons/shape.tsx'
import { useWide } from '../sessions/use-wide.ts'
import type { TurnRecord } from '../../shared/state.ts'

const rowHeight = 28
const wideColumns = '84px minmax(110px, 1.2fr) minmax(120px, 1.5fr) 76px 76px 68px 68px 84px 76px minmax(132px, 1.2fr)'
const narrowColumns = '84px minmax(100px, 1.3fr) minmax(100px, 1.2fr) 72px 72px 84px 72px minmax(100px, 1fr)'

/** A virtual grid: one tab stop, arrow keys move, Enter opens the record. */
export function TurnsTable({ turns, names, selected, onSelect }: { turns: readonly TurnRecord[]; names: (id: string | null) => string | null; selected: string | null; onSelect: (requestId: string) => void }) {
  const { w } = useWords()
  const c = w.activity.columns
  const wide = useWide()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const virtual = useVirtual({ count: turns.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12, scrollMargin: rowHeight })
  const grid = { gridTemplateColumns: wide ? wideColumns : narrowColumns }
  const heads: readonly (readonly [string, boolean, boolean])[] = [[c.time, false, true], [c.session, false, true], [c.model, false, true], [c.in, true, true], [c.cached, true, wide], [c.out, true, true], [c.cost, true, wide], [c.firstByte, true, true], [c.took, true, true], [c.end, false, true]]
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: turns.length - 1 }[event.key]
    const turn = turns[active]
    if (to !== undefined) {
      const next = Math.max(0, Math.min(turns.length - 1, to))
      setActive(next)
      virtual.scrollToIndex(next)
    } else if (event.key === 'Enter' && turn) onSelect(turn.requestId)
    else return
    event.preventDefault()
  }
  return (
    <div ref={scroller} className="scroll table" role="grid" aria-label={w.activity.table} aria-rowcount={turns.length + 1} tabIndex={0} onKeyDown={onKeyDown} aria-activedescendant={turns[active] ? `turn-${turns[active].requestId}` : undefined}>
      <div className="tr head" role="row" aria-rowindex={1} style={grid}>{heads.map(([name, right, shown]) => shown && <span key={name} role="columnheader" className={right ? 'r' : undefined}>{name}</span>)}</div>
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const turn = turns[index]
          return turn && (
            <div key={turn.requestId} id={`turn-${turn.requestId}`} className={`tr${index === active ? ' is-active' : ''}`} role="row" aria-rowindex={index + 2} aria-selected={turn.requestId === selected} style={{ ...grid, position: 'absolute', left: 0, right: 0, top: start - rowHeight }} onClick={() => { setActive(index); onSelect(turn.requestId) }}>
              <Cells turn={turn} name={names(turn.sessionId)} wide={wide} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Cells({ turn, name, wide }: { turn: TurnRecord; name: string | null; wide: boolean }) {
  const { w, s, f } = useWords()
  const none = '—'
  const { usage, route } = turn
  const failed = turn.error !== null || turn.finish === 'error' || turn.finish === 'broken-off'
  const model = route ? `${route.provider}/${route.model}` : (turn.model ?? none)
  return (
    <>
      <span role="gridcell" className="t3" title={f.instant(turn.at)}>{f.time(turn.at)}</span>
      <span role="gridcell" className="name" title={name ?? undefined}>{name ?? w.activity.none}</span>
      <span role="gridcell" title={model}>{model}</span>
      <span role="gridcell" className="r">{usage ? f.tokens(usage.input) : none}</span>
      {wide && <span role="gridcell" className="r t3">{usage ? f.tokens(usage.cachedInput) : none}</span>}
      <span role="gridcell" className="r">{usage ? f.tokens(usage.output) : none}</span>
      {wide && <span role="gridcell" className="r t3">{turn.costUsd === null ? none : f.money(turn.costUsd)}</span>}
      <span role="gridcell" className="r">{turn.ttfbMs === null ? none : f.took(turn.ttfbMs)}</span>
      <span role="gridcell" className="r">{f.took(turn.durationMs)}</span>
      <span role="gridcell" className={failed ? 'failed' : undefined} title={turn.error?.message}>{failed ? <Shape shape="failed" /> : <span className="nost" />}{turn.kind === 'turn' ? s.finish(turn.finish) : s.turn(null, turn.kind)}{failed && turn.status >= 400 ? `, ${turn.status}` : ''}</span>
    </>
  )
}
