import { useRef, useState, type KeyboardEvent } from 'react'
import { useApp, useOfAll, useWords } from '../app-context.ts'
import { Cells, Heads, shownOf, tracksOf } from '../parts/columns.tsx'
import { useVirtual } from '../parts/use-virtual.ts'
import { isPhone, useWide } from '../sessions/use-wide.ts'
import { bucketTimesOf } from './bucket-times.ts'
import type { NameOf, TableRow } from './table-rows.ts'
import { turnColumns } from './turn-columns.tsx'

const DAY = 86_400_000

/** A virtual grid: one tab stop, arrow keys move, Enter opens what the row is about. */
export function TurnsTable({
  rows,
  nameOf,
  selected,
  onOpen,
}: {
  rows: readonly TableRow[]
  nameOf: NameOf
  selected: string | null
  onOpen: (row: TableRow) => void
}) {
  const { clock } = useApp()
  const { w, s, f, language, zone } = useWords()
  const wide = useWide()
  const several = useOfAll()
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
  const older = rows.some((row) => row.kind === 'turn' && now - row.turn.at > DAY)
  const time = (at: number) => (now - at > DAY ? bucketTimesOf(language, zone).stamp(at) : f.time(at))
  const say = { w, s, f, wide, older, time, nameOf, several }
  const columns = shownOf(turnColumns, say)
  const grid = { gridTemplateColumns: tracksOf(columns, say) }
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
      className={several ? 'scroll table of-all' : 'scroll table'}
      role="grid"
      aria-label={w.activity.table}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-activedescendant={idOf(rows[active])}
    >
      <div className="tr head" role="row" aria-rowindex={1} style={grid}>
        <Heads grid columns={columns} say={say} />
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
                <Cells grid columns={columns} row={row} say={say} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

const idOf = (row: TableRow | undefined) => row && `turn-${row.key.replaceAll(' ', '-')}`
