import { useRef, useState, type KeyboardEvent } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { useVirtual } from '../parts/use-virtual.ts'
import { isPhone, useWide } from '../sessions/use-wide.ts'
import { AttemptCells, RunningCells, TurnCells } from './cells.tsx'
import { bucketTimesOf } from './bucket-times.ts'
import type { TableRow } from './table-rows.ts'

const DAY = 86_400_000
const wideColumns = (time: number) =>
  `${time}px minmax(104px, 1fr) 92px minmax(156px, 1.4fr) 60px 62px 54px 84px 76px 62px minmax(140px, 1fr)`
const narrowColumns = (time: number) =>
  `${time}px minmax(88px, 1fr) 80px minmax(112px, 1.3fr) 52px 48px 78px 72px 56px minmax(106px, 1fr)`

/** A virtual grid: one tab stop, arrow keys move, Enter opens what the row is about. */
export function TurnsTable({
  rows,
  nameOf,
  selected,
  onOpen,
}: {
  rows: readonly TableRow[]
  nameOf: (id: string | null) => string | null
  selected: string | null
  onOpen: (row: TableRow) => void
}) {
  const { clock } = useApp()
  const { w, f, language, zone } = useWords()
  const c = w.activity.columns
  const wide = useWide()
  const rowHeight = isPhone() ? 44 : 28
  const scroller = useRef<HTMLDivElement>(null)
  // By key: rows that come on top must not move what the keyboard is at.
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const active = Math.max(
    0,
    rows.findIndex((row) => row.key === activeKey),
  )
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: rowHeight,
  })
  const now = clock.now()
  // A time alone says too little of a turn of another day.
  const older = rows.some((row) => row.kind === 'turn' && now - row.turn.at > DAY)
  const time = (at: number) => (now - at > DAY ? bucketTimesOf(language, zone).stamp(at) : f.time(at))
  const grid = { gridTemplateColumns: (wide ? wideColumns : narrowColumns)(older ? 124 : wide ? 84 : 76) }
  const heads: readonly (readonly [string, boolean, boolean])[] = [
    [c.time, false, true],
    [c.session, false, true],
    [c.route, false, true],
    [c.model, false, true],
    [c.in, true, true],
    [c.cached, true, wide],
    [c.out, true, true],
    [c.cost, true, true],
    [c.firstByte, true, true],
    [c.took, true, true],
    [c.end, false, true],
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 }[event.key]
    const row = rows[active]
    if (to !== undefined) {
      const next = Math.max(0, Math.min(rows.length - 1, to))
      setActiveKey(rows[next]?.key ?? null)
      virtual.scrollToIndex(next)
    } else if (event.key === 'Enter' && row) onOpen(row)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      className="scroll table"
      role="grid"
      aria-label={w.activity.table}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-activedescendant={idOf(rows[active])}
    >
      <div className="tr head" role="row" aria-rowindex={1} style={grid}>
        {heads.map(
          ([name, right, shown]) =>
            shown && (
              <span key={name} role="columnheader" className={right ? 'r' : undefined}>
                {name}
              </span>
            ),
        )}
      </div>
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={row.key}
                id={idOf(row)}
                className={`tr${index === active ? ' is-active' : ''}${row.kind === 'attempt' ? ' attempt' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={row.kind === 'turn' && row.turn.requestId === selected}
                style={{ ...grid, position: 'absolute', left: 0, right: 0, top: start - rowHeight }}
                onClick={() => {
                  setActiveKey(row.key)
                  onOpen(row)
                }}
              >
                {row.kind === 'running' ? (
                  <RunningCells session={row.session} since={row.since} wide={wide} />
                ) : row.kind === 'turn' ? (
                  <TurnCells turn={row.turn} name={nameOf(row.turn.sessionId)} time={time(row.turn.at)} wide={wide} />
                ) : (
                  <AttemptCells
                    turn={row.turn}
                    attempt={row.attempt}
                    next={row.next}
                    name={nameOf(row.turn.sessionId)}
                    time={time(row.attempt.at)}
                    wide={wide}
                  />
                )}
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

const idOf = (row: TableRow | undefined) => row && `turn-${row.key.replaceAll(' ', '-')}`
