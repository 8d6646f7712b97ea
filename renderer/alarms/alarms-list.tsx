import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { AppContext, appOf, type App, useApp, useLive, useMay, useOfAll, useUi, useWords } from '../app-context.ts'
import type { Outcome } from '../control/outcome.ts'
import { steppedTo } from '../parts/stepped-to.ts'
import { useVirtual } from '../parts/use-virtual.ts'
import { useMinute } from '../time/engine-time.ts'
import type { AlarmFilter } from '../state/ui.ts'
import { AlarmRow, type RowOrders } from './alarm-row.tsx'
import { EditForm, useEdited } from './edit-form.tsx'
import { alarmItems, alarmKey, type AlarmItem, type ShownAlarm } from './items.ts'
import { useAlarmTimes } from './use-alarm-times.ts'
import { alarmListId } from './use-return-focus.ts'

const heights: Record<AlarmItem['kind'], number> = { head: 32, alarm: 40, form: 124 }

interface ListProps {
  alarms: readonly ShownAlarm[]
  filter: AlarmFilter
  inSession: boolean
  /** sets a new one */ onNew(): void
}

/**
 * A virtual grid of alarms by day: one tab stop, arrow keys move, E edits, Delete cancels. The row that is edited is a
 * form.
 */
export function AlarmsList({ alarms, filter, inSession, onNew }: ListProps) {
  const app = useApp()
  const { ui } = app
  const { w } = useWords()
  const mayEdit = useMay('editAlarm')
  /** the engine of an alarm can be asked */
  const live = ({ alarm }: { alarm: ShownAlarm }) => mayEdit && isLive(appOf(app, alarm))
  const mayAdd = useLive() && mayEdit
  const now = useMinute()
  const all = useOfAll()
  const items = useItems(alarms, filter)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => items.flatMap((item) => (item.kind === 'head' ? [] : [item])), [items])
  const activeId = useUi((s) => s.activeAlarm)
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeId),
  )
  const active = rows[at]
  const activeIndex = active ? items.indexOf(active) : -1
  const formIndex = items.findIndex(({ kind }) => kind === 'form')
  const virtual = useVirtual({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => heights[items[i]?.kind ?? 'alarm'],
    getItemKey: (i) => `${items[i]?.kind} ${items[i]?.key}`,
    overscan: 8,
    // A form must not go when its row scrolls out of sight.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return formIndex < 0 || shown.includes(formIndex) ? shown : [...shown, formIndex].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => {
    if (activeId !== null && activeIndex >= 0) virtual.scrollToIndex(activeIndex, { align: 'auto' })
  }, [activeId, activeIndex, virtual])

  const { orders, refused } = useRowOrders(scroller)
  const to = (index: number) =>
    ui.setState({ activeAlarm: rows[Math.max(0, Math.min(rows.length - 1, index))]?.key ?? null })
  const cancelHere = () => {
    if (!active) return
    to(at + 1 < rows.length ? at + 1 : at - 1)
    orders.cancel(active.alarm)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('form')) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const ringing =
      active !== undefined &&
      (active.alarm.state.kind === 'delivered' || (active.alarm.state.kind === 'waits' && active.alarm.dueAt <= now))
    const screenful = (scroller.current?.clientHeight ?? 0) / heights.alarm
    const first = event.key === 'ArrowDown' && activeId === null
    const next = first ? 0 : steppedTo(event.key, at, rows.length - 1, screenful)
    switch (event.key) {
      case 'Enter':
        // A button within a row does what it says.
        if (event.target !== scroller.current || !active || inSession) return
        appOf(app, active.alarm).navigation.go({
          view: 'sessions',
          selection: { kind: 'session', id: active.alarm.sessionId, tab: 'timeline' },
        })
        break
      case 'e':
        if (active && live(active) && active.alarm.state.kind !== 'under-way') orders.edit(active.alarm)
        break
      case 's':
        if (!active || !ringing || !live(active)) return
        orders.snooze(active.alarm)
        break
      case 'Delete':
      case 'Backspace':
        if (active && live(active)) cancelHere()
        break
      case 'n':
        if (mayAdd) onNew()
        break
      default:
        if (next === undefined) return
        to(next)
    }
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      id={alarmListId}
      className={`a-list${inSession ? ' in-session' : all ? ' of-all' : ''}`}
      role="grid"
      aria-label={inSession ? w.alarms.ofSession : w.alarms.list}
      aria-rowcount={items.length}
      tabIndex={0}
      data-pane-stop
      aria-activedescendant={idOf(active)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          if (!item) return null
          const place = { 'data-index': index, style: { transform: `translateY(${start}px)` } }
          return (
            <div key={key} ref={virtual.measureElement} className="row-at" role="presentation" {...place}>
              <AppContext value={item.kind === 'head' ? app : appOf(app, item.alarm)}>
                <ItemView
                  {...{ item, index, inSession, orders }}
                  active={item === active}
                  refused={refused?.key === item.key ? refused.message : null}
                />
              </AppContext>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function useItems(alarms: readonly ShownAlarm[], filter: AlarmFilter): readonly AlarmItem[] {
  const { wall } = useAlarmTimes()
  const now = useMinute()
  const edited = useEdited()
  const byMachine = useUi((s) => s.byMachine)
  const all = useOfAll()
  return useMemo(
    () => alarmItems(alarms, { filter, edited, now, wall, byMachine: all && byMachine }),
    [alarms, filter, edited, now, wall, all, byMachine],
  )
}

interface ItemProps {
  item: AlarmItem
  index: number
  active: boolean
  inSession: boolean
  refused: string | null
  orders: RowOrders
}

function ItemView({ item, index, active, inSession, refused, orders }: ItemProps) {
  const { ui } = useApp()
  const { w } = useWords()
  const mayEdit = useMay('editAlarm')
  const live = useLive() && mayEdit
  if (item.kind === 'head')
    return (
      <div className="a-group" role="row" aria-rowindex={index + 1}>
        <span role="rowheader">
          {typeof item.group === 'string' ? w.alarms.groups[item.group] : (item.group.machine ?? w.machines.thisOne)}
          <span className="n num">{item.count}</span>
        </span>
      </div>
    )
  if (item.kind === 'form')
    return (
      <div id={idOf(item)} role="row" aria-rowindex={index + 1}>
        <div role="gridcell">
          <EditForm alarm={item.alarm} />
        </div>
      </div>
    )
  const { alarm } = item
  return (
    <div
      id={idOf(item)}
      className={`a-row${active ? ' is-active' : ''}`}
      role="row"
      aria-rowindex={index + 1}
      onClick={() => ui.setState({ activeAlarm: item.key })}
      onDoubleClick={() => {
        if (live && alarm.state.kind !== 'under-way') orders.edit(alarm)
      }}
    >
      <AlarmRow alarm={alarm} active={active} inSession={inSession} refused={refused} orders={orders} />
    </div>
  )
}

const isLive = ({ engine }: App): boolean => engine.getState().link.kind === 'live'

const idOf = (item: AlarmItem | undefined) => item?.key.replace(/[^\w-]/g, '-')

/** Acts of a row's buttons and keys; a refusal is said in the row. */
function useRowOrders(scroller: RefObject<HTMLElement | null>) {
  const app = useApp()
  const { ui } = app
  const [refused, setRefused] = useState<{ key: string; message: string } | null>(null)
  const orders = useMemo((): RowOrders => {
    const at = (alarm: ShownAlarm) => appOf(app, alarm).actions
    const say = (alarm: ShownAlarm, outcome: Outcome<unknown>) =>
      setRefused(outcome.ok ? null : { key: alarmKey(alarm), message: outcome.problem.message })
    return {
      edit: (alarm) => ui.setState({ activeAlarm: alarmKey(alarm), alarmForm: { kind: 'edit', alarm } }),
      async cancel(alarm) {
        // Its button goes with it: the keyboard stays in the list.
        scroller.current?.focus()
        say(alarm, await at(alarm).cancelAlarms([alarm]))
      },
      async skip(alarm) {
        scroller.current?.focus()
        say(alarm, await at(alarm).skipAlarm(alarm))
      },
      async snooze(alarm) {
        scroller.current?.focus()
        ui.setState({ activeAlarm: alarmKey(alarm) })
        say(alarm, await at(alarm).snoozeAlarm(alarm))
      },
    }
  }, [app, ui, scroller])
  return { orders, refused }
}
