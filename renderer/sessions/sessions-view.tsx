import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { AppContext, useApp, useEngine, useSettings, useShownApp, useUi, useWords } from '../app-context.ts'
import { MachineLine } from '../machines/machine-line.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import type { ListItem } from './list-items.ts'
import type { Place, Selection } from '../state/place.ts'
import { ListPane } from './list-pane.tsx'
import { NothingChosen } from './nothing-chosen.tsx'
import { keyOf, useListItems } from './use-list-items.ts'
import { useWide } from './use-wide.ts'
import { listWidths, widthWithin } from '../state/list-width.ts'

const steps: Partial<Record<string, number>> = { ArrowLeft: -16, ArrowRight: 16, Home: -Infinity, End: Infinity }

/** The edge between list and detail: dragged, or moved by arrow keys; a double click puts it back where it was made. */
function ListEdge() {
  const { settings } = useApp()
  const { w } = useWords()
  const width = useSettings((s) => s.listWidth) ?? listWidths.usual
  const grabbed = useRef<{ x: number; width: number } | null>(null)
  const set = (wanted: number) => settings.setState({ listWidth: widthWithin(wanted, window.innerWidth) })
  const shown = widthWithin(width, window.innerWidth)
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grabbed.current = { x: event.clientX, width: shown }
  }
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) set(shown + step)
    else if (event.key === 'Enter') settings.setState({ listWidth: null })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="list-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={w.list.width}
      aria-valuenow={shown}
      aria-valuemin={listWidths.least}
      aria-valuemax={widthWithin(Infinity, window.innerWidth)}
      title={w.list.widthHint}
      tabIndex={0}
      onPointerDown={grab}
      onPointerMove={({ clientX }) => {
        if (grabbed.current) set(grabbed.current.width + clientX - grabbed.current.x)
      }}
      onLostPointerCapture={() => {
        grabbed.current = null
      }}
      onDoubleClick={() => settings.setState({ listWidth: null })}
      onKeyDown={press}
    />
  )
}

/** The list is painted first, and the detail comes while the list is filled. */
export const detail = onDemand(async () => (await import('./detail.tsx')).Detail, null)

/** List and detail: side by side from 1100 px, below that the detail slides over the list. */
export function SessionsView() {
  const selection = useUi((s) => (s.place.view === 'sessions' ? s.place.selection : null))
  const list = useListItems()
  const shown = useShownApp()
  useFirstSelection(list.items)
  useTerminalBecomesSession()
  useLeaveDeleted()
  return (
    <>
      <ListPane list={list} />
      <main className="pane over" data-pane-stop>
        <ListEdge />
        {selection === null ? (
          <NothingChosen />
        ) : (
          <AppContext value={shown}>
            <MachineLine />
            <detail.Component selection={selection} />
          </AppContext>
        )}
      </main>
    </>
  )
}

/** Where there is room for a detail, one is shown: the last selection, else the first that needs a person. */
function useFirstSelection(items: readonly ListItem[]): void {
  const { navigation, ui } = useApp()
  const wide = useWide()
  const last = useUi((s) => s.lastSelection)
  const first = items.find((item) => item.kind !== 'head')
  const known = useEngine(
    (s) =>
      last !== null &&
      (last.machine !== undefined
        ? s.machines.some(({ name }) => name === last.machine)
        : last.kind === 'session'
          ? s.sessions.has(last.id)
          : s.terminals.has(last.id)),
  )
  const none = useUi((s) => s.place.view === 'sessions' && s.place.selection === null)
  const searching = useUi((s) => s.query !== null)
  useEffect(() => {
    if (!wide || !none || searching || !first) return
    const selection: Selection =
      last && known
        ? last
        : first.kind === 'terminal'
          ? { kind: 'terminal', id: first.terminal.id }
          : {
              kind: 'session',
              id: first.session.id,
              tab: 'timeline',
              ...(first.kind === 'far' && { machine: first.machine }),
            }
    navigation.replace({ view: 'sessions', selection }, (now) => now.view === 'sessions' && now.selection === null)
    ui.setState({ active: keyOf(selection) })
  }, [wide, none, searching, first, last, known, navigation, ui])
}

/** A session that was shown and is deleted, here or elsewhere, leaves its place to the list. */
function useLeaveDeleted(): void {
  const { navigation, ui, engine } = useShownApp()
  const shown = useUi(({ place }) => sessionOf(place))
  const known = useStore(engine, (s) => shown !== null && s.sessions.has(shown))
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (known) seen.current = shown
    if (known || shown === null || seen.current !== shown) return
    seen.current = null
    ui.setState({ lastSelection: null })
    navigation.replace({ view: 'sessions', selection: null }, (now) => sessionOf(now) === shown)
  }, [known, shown, navigation, ui])
}

/** A terminal's first turn gives it a session: a page that shows the terminal goes on showing it. */
function useTerminalBecomesSession(): void {
  const { navigation, engine } = useShownApp()
  const selected = useUi((s) => terminalOf(s.place))
  const session = useStore(engine, (s) => (selected === null ? null : (s.terminals.get(selected)?.sessionId ?? null)))
  const known = useStore(engine, (s) => session !== null && s.sessions.has(session))
  useEffect(() => {
    if (session !== null && known)
      navigation.replace(
        { view: 'sessions', selection: { kind: 'session', id: session, tab: 'terminal' } },
        (now) => terminalOf(now) === selected,
      )
  }, [selected, session, known, navigation])
}

const sessionOf = (place: Place): string | null =>
  place.view === 'sessions' && place.selection?.kind === 'session' ? place.selection.id : null

const terminalOf = (place: Place): string | null =>
  place.view === 'sessions' && place.selection?.kind === 'terminal' ? place.selection.id : null
