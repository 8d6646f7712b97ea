import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { AppContext, useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { steppedTo } from '../parts/stepped-to.ts'
import { useVirtual } from '../parts/use-virtual.ts'
import { Icon } from '../icons/icon.tsx'
import { toggled } from '../state/ui.ts'
import type { ListItem, ListRow } from './list-items.ts'
import { type RowPlace, SessionRow, InEditor } from './session-row.tsx'
import { useSelectedKey } from './use-list-items.ts'
import { home, type Place, type Selection, type Tab } from '../state/place.ts'
import { isPhone, useWide } from './use-wide.ts'
import { focusTerminal } from '../terminals/terminal-focus.ts'
import { Shape } from '../icons/shape.tsx'
import { homeShort } from '../parts/home-short.ts'
import { Ticking } from '../time/ticking.tsx'
import type { TerminalView } from '../../shared/state.ts'
import type { Virtualizer } from '@tanstack/react-virtual'

const rowHeight = 52

/**
 * A virtual tree of two levels, groups and sessions: the pattern in which groups can be closed by keyboard and rows
 * may hold a link. One tab stop; the active item is named by aria-activedescendant.
 */
export function SessionList({ items }: { items: readonly ListItem[] }) {
  const { ui, navigation, here, there } = useApp()
  const { w } = useWords()
  const wide = useWide()
  const headHeight = isPhone() ? 44 : 28
  const selected = useSelectedKey()
  const active = useUi((s) => s.active) ?? selected
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtual({
    count: items.length,
    getScrollElement: () => scroller.current,
    // Nothing is measured: heights follow from kinds, which are looked at again whenever the keys are other ones.
    estimateSize: (i) => (items[i]?.kind === 'head' ? headHeight : rowHeight),
    getItemKey: useCallback((i) => items[i]?.key ?? i, [items]),
    overscan: 8,
  })
  const at = items.findIndex((item) => item.key === active)
  const inSight = useInSight(at, virtual, scroller)
  const open = (row: ListRow) => navigation.go({ view: 'sessions', selection: selectionOf(row, ui.getState().place) })
  /** Chosen, not only passed by on the way through the list: where somebody is asked, the question comes first. */
  const choose = (row: ListRow) => {
    ui.setState({ active: row.key })
    if (row.kind !== 'terminal' && row.session.shape === 'needs')
      navigation.go({ view: 'sessions', selection: selectionOf(row, home) })
    else open(row)
  }
  const activate = (index: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))]
    if (!item) return
    ui.setState({ active: item.key })
    // Side by side the detail follows the keyboard, as in a mail client.
    if (wide && item.kind !== 'head') open(item)
  }
  const fold = (item: ListItem, closed: boolean) => {
    const group = groupOf(items, item)
    if (group === undefined || ui.getState().collapsed.has(group) === closed) return
    ui.setState((s) => ({ collapsed: toggled(s.collapsed, group), active: `head:${group}` }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[at]
    const next = steppedTo(event.key, at, items.length - 1, (scroller.current?.clientHeight ?? 0) / rowHeight)
    switch (event.key) {
      case 'ArrowLeft':
        if (item) fold(item, true)
        break
      case 'ArrowRight':
        if (item?.kind === 'head') fold(item, false)
        break
      case 'Enter':
      case ' ':
        if (event.target !== scroller.current || !item) return
        if (item.kind === 'head') fold(item, item.open)
        else {
          choose(item)
          focusTerminal()
        }
        break
      default:
        if (next === undefined) return
        activate(next)
    }
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      id="session-list"
      className="list-body"
      role="tree"
      aria-label={w.list.label}
      tabIndex={0}
      aria-activedescendant={at >= 0 ? items[at]?.key : undefined}
      onKeyDown={onKeyDown}
      {...inSight}
    >
      <div className="rows" role="presentation" style={{ height: virtual.getTotalSize() + 12 }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          if (!item) return null
          const place = { id: item.key, 'aria-posinset': item.pos, 'aria-setsize': item.of }
          return (
            <div key={key} className="row-at" role="presentation" style={{ transform: `translateY(${start}px)` }}>
              {item.kind === 'head' ? (
                <GroupHead
                  place={place}
                  head={item}
                  active={item.key === active}
                  onFold={() => fold(item, item.open)}
                />
              ) : item.kind !== 'terminal' ? (
                <AppContext value={item.kind === 'far' ? there(item.machine) : here}>
                  <SessionRow
                    place={place}
                    session={item.session}
                    selected={item.key === selected}
                    active={item.key === active}
                    onOpen={() => choose(item)}
                  />
                </AppContext>
              ) : (
                <TerminalRow
                  place={place}
                  terminal={item.terminal}
                  selected={item.key === selected}
                  active={item.key === active}
                  onOpen={() => {
                    ui.setState({ active: item.key })
                    open(item)
                  }}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type ListHead = Extract<ListItem, { kind: 'head' }>

/** The group that an item is in; a head's is its own. */
const groupOf = (items: readonly ListItem[], item: ListItem) =>
  items.slice(0, items.indexOf(item) + 1).findLast((before) => before.kind === 'head')?.group

function GroupHead(props: { place: RowPlace; head: ListHead; active: boolean; onFold: () => void }) {
  const { place, head, active, onFold } = props
  const { w } = useWords()
  return (
    <div
      {...place}
      className={`group-head${active ? ' is-active' : ''}`}
      role="treeitem"
      aria-level={1}
      aria-selected="false"
      aria-expanded={head.open}
      onClick={onFold}
    >
      <Icon name="down" />
      <span>{w.groups[head.group]}</span>
      <span className="n num">{head.count}</span>
    </div>
  )
}

function selectionOf(row: ListRow, place: Place): Selection {
  if (row.kind === 'terminal') return { kind: 'terminal', id: row.terminal.id }
  const { id, terminalId } = row.session
  const where = row.kind === 'far' ? { machine: row.machine } : {}
  // a terminal of another machine before its first turn
  return id === terminalId ? { kind: 'terminal', id, ...where } : { kind: 'session', id, tab: tabNow(place), ...where }
}

/** Going down a list keeps the tab a person reads. */
function tabNow(place: Place): Tab {
  return place.view === 'sessions' && place.selection?.kind === 'session' ? place.selection.tab : 'timeline'
}

/** A terminal before its first turn: it has no session yet, but the person who opened it wants to see it. */
function TerminalRow({
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
        <InEditor terminalId={terminal.id} />
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

/**
 * Keeps a row of a list in sight when it becomes another, or moves. Heights are known, so nothing is measured: the
 * virtualizer's own way lays out the page up to three times for it, before and after each scroll.
 *
 * @returns for the scrolling element
 */
function useInSight(
  at: number,
  virtual: Virtualizer<HTMLDivElement, HTMLElement>,
  scroller: RefObject<HTMLDivElement | null>,
): { onScroll(): void } {
  /** where it was scrolled to, until the virtualizer knows */
  const scrolledTo = useRef<number | null>(null)
  useEffect(() => {
    const [row, box] = [virtual.measurementsCache[at], scroller.current]
    if (!row || !box) return
    const seen = virtual.scrollRect?.height ?? box.clientHeight
    const from = scrolledTo.current ?? virtual.scrollOffset ?? 0
    const to = row.start < from ? row.start : Math.max(from, row.end + paddingTop - seen)
    if (to === from) return
    box.scrollTop = at === 0 ? 0 : to
    scrolledTo.current = box.scrollTop
  }, [at, virtual, scroller])
  return {
    onScroll() {
      scrolledTo.current = null
    },
  }
}

/** of the list, above its first row (list.css) */
const paddingTop = 4
