import { useEffect, useRef } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { ariaKeys, keyLabel, shortcuts } from '../keyboard/shortcuts.ts'
import { Icon } from '../icons/icon.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Key } from '../parts/key.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { everySession, fleetFilter } from '../state/ui.ts'
import { FilterMenu } from './filter-menu.tsx'
import type { ListResult } from './list-items.ts'
import { Welcome } from './nothing-chosen.tsx'
import { useWide } from './use-wide.ts'
import { asksForPerson, works } from '../../shared/asks-for-person.ts'
import { Shape } from '../icons/shape.tsx'
import type { SessionView } from '../../shared/state.ts'
import type { MachineView } from '../../shared/machines.ts'
import type { SessionShape } from '../../shared/words.ts'

const skeleton = [
  'head',
  ['46%', '72%'],
  ['38%', '60%'],
  'head',
  ['52%', '64%'],
  ['34%', '70%'],
  ['44%', '50%'],
] as const

const loading = <Loading />

/** Fetched while the engine is asked what to show, which takes longer. */
export const rows = onDemand<{ items: ListResult['items'] }>(
  async () => (await import('./session-list.tsx')).SessionList,
  loading,
)

function Loading() {
  const { w } = useWords()
  return <SkeletonRows label={w.list.loading} rows={skeleton} />
}

export function ListPane({ list }: { list: ListResult }) {
  const { w, f, language } = useWords()
  const known = useEngine((s) => s.status !== null)
  const any = useEngine(
    (s) => s.sessions.size + s.terminals.size > 0 || s.machines.some((one) => one.sessions.length > 0),
  )
  const lostAt = useEngine((s) => (s.link.kind === 'stopped' ? s.link.at : null))
  const wide = useWide()
  const query = useUi((s) => s.query)
  // Below 1100 px it stands alone until a detail slides over it.
  const alone = useUi((s) => s.place.view === 'sessions' && s.place.selection === null) && !wide
  return (
    <section className="pane list under" role={alone ? 'main' : undefined} aria-label={w.list.label} data-pane-stop>
      <Head total={list.total} />
      <MachineList />
      {query !== null && <Search query={query} />}
      {!known ? (
        loading
      ) : !any ? (
        wide ? (
          <div className="grow" />
        ) : (
          <Welcome />
        )
      ) : list.total === 0 ? (
        <NoMatch hiddenEnded={list.hiddenEnded} />
      ) : (
        <rows.Component items={list.items} />
      )}
      {lostAt !== null && known && (
        <p className="meta list-foot">
          {w.list.asOf(f.minute(lostAt))}
          {language === 'en' ? '. ' : '。'}
          {w.banner.stoppedText}
        </p>
      )}
    </section>
  )
}

function Head({ total }: { total: number }) {
  const { ui, actions, mac } = useApp()
  const { w } = useWords()
  const live = useLive()
  const paused = useEngine((s) => s.status?.paused ?? false)
  return (
    <header className="pane-head">
      <h1>{w.views.sessions}</h1>
      <span className="meta num">{total > 0 ? total : ''}</span>
      <span className="grow" />
      <FilterMenu />
      <button
        type="button"
        className="btn quiet"
        aria-label={`${w.list.palette}, ${keyLabel(shortcuts.palette, mac)}`}
        aria-keyshortcuts={ariaKeys('palette', mac)}
        onClick={() => ui.setState({ dialog: { kind: 'palette' } })}
      >
        <Icon name="search" />
        <Key keys={shortcuts.palette} />
      </button>
      <IconButton
        does="openTerminal"
        icon="plus"
        name={w.list.newTerminal}
        keys={shortcuts.newTerminal}
        disabled={!live}
        onClick={() => ui.setState({ dialog: { kind: 'new-terminal' } })}
      />
      <Button
        does={paused ? 'resume' : 'pause'}
        icon={paused ? 'play' : 'pause'}
        disabled={!live}
        title={paused ? w.list.resumeAll : w.list.pauseAll}
        aria-label={paused ? w.list.resumeAll : w.list.pauseAll}
        onClick={() => void (paused ? actions.resume(null) : actions.pause(null))}
      >
        {w.list.all}
      </Button>
    </header>
  )
}

function Search({ query }: { query: string }) {
  const { ui } = useApp()
  const { w } = useWords()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const close = () => ui.setState({ query: null })
  return (
    <div className="list-search">
      {/* A field of Mantine's would not be there yet for the first letters after the key that opens it. */}
      <div className="input">
        <Icon name="search" />
        <input
          ref={input}
          aria-label={w.list.search}
          autoComplete="off"
          spellCheck={false}
          placeholder={w.list.searchIn}
          value={query}
          onChange={(e) => ui.setState({ query: e.currentTarget.value })}
          onKeyDown={(e) => {
            if (e.key === 'Escape') close()
            else if (e.key === 'ArrowDown' || e.key === 'Enter') document.getElementById('session-list')?.focus()
            else return
            e.preventDefault()
          }}
        />
        <kbd aria-hidden="true">Esc</kbd>
      </div>
    </div>
  )
}

function NoMatch({ hiddenEnded }: { hiddenEnded: number }) {
  const { ui } = useApp()
  const { w } = useWords()
  const query = useUi((s) => s.query)
  const hidden = hiddenEnded > 0 ? ` ${w.list.endedHidden(hiddenEnded)}` : ''
  return (
    <Empty
      title={query ? w.list.noMatch(query) : w.list.noMatchFilter}
      text={query ? w.list.searched + hidden : hidden.trim()}
    >
      {hiddenEnded > 0 ? (
        <Button onClick={() => ui.setState((s) => ({ filter: { ...s.filter, ended: true } }))}>
          {w.list.searchEnded}
        </Button>
      ) : (
        <Button onClick={() => ui.setState({ filter: everySession, query: null })}>{w.list.clearFilter}</Button>
      )}
    </Empty>
  )
}

/** The machines above the list of all their sessions: where somebody is needed, what is away, and the filter by one. */
function MachineList() {
  const { w } = useWords()
  const machines = useEngine((s) => s.machines)
  const sessions = useEngine((s) => s.sessions)
  if (machines.length === 0) return null
  const engines = machines.filter(({ fleet }) => fleet)
  // an engine is in one fleet at most
  const fleet = engines.length > 1 ? engines[0]?.fleet?.name : undefined
  return (
    <div className="machine-list" role="group" aria-label={w.machines.title}>
      <Machine filter="" name={w.machines.thisOne} sessions={[...sessions.values()]} />
      {machines.map((machine) => !machine.fleet && <Machine key={machine.name} filter={machine.name} {...machine} />)}
      {fleet && (
        <Machine
          filter={fleetFilter(fleet)}
          name={w.machines.fleet(fleet)}
          sessions={engines.flatMap(({ sessions: there }) => there)}
        />
      )}
      {engines.map((engine) => (
        <Machine key={engine.name} filter={engine.name} {...engine} />
      ))}
    </div>
  )
}

interface MachineProps extends Partial<Pick<MachineView, 'state' | 'fleet'>> {
  /** of this row; without a state: this one, or a whole fleet */
  filter: string
  name: string
  sessions: readonly SessionView[]
}

function Machine({ filter: machine, name, state, fleet, sessions }: MachineProps) {
  const { ui, clock } = useApp()
  const { w, s, f } = useWords()
  const chosen = useUi(({ filter }) => filter.machine === machine)
  const t = w.machines
  const shown = sessions.filter(({ archived, shape }) => !archived && shape !== 'gone')
  const asking = shown.filter(asksForPerson).length
  const busy = shown.filter(works).length
  const away = state !== undefined && state.kind !== 'there'
  const shape: SessionShape = away ? 'gone' : asking > 0 ? 'needs' : busy > 0 ? 'working' : 'idle'
  const waits = (fleet?.waits?.messages ?? 0) + (fleet?.waits?.alarms ?? 0)
  const said =
    state?.kind === 'connecting'
      ? t.connecting
      : state?.kind === 'away'
        ? state.seen
          ? t.lastSeen(f.minuteOfDay(state.since, clock.now()))
          : t.never
        : asking > 0
          ? t.needs(asking)
          : busy > 0
            ? t.working(busy)
            : ''
  return (
    <button
      type="button"
      className={[chosen && 'on', fleet && 'of-fleet'].filter(Boolean).join(' ') || undefined}
      aria-pressed={chosen}
      title={state?.kind === 'away' ? (t.why[state.why.code] ?? state.why.message) : chosen ? t.every : t.only(name)}
      onClick={() => ui.setState(({ filter }) => ({ filter: { ...filter, machine: chosen ? null : machine } }))}
    >
      <Shape shape={shape} name={s.shape(shape)} />
      <span className="cut">{name}</span>
      <span className={`meta${shape === 'needs' ? ' needs' : ''}`}>{waits > 0 ? t.waitsThere(waits, said) : said}</span>
      <span className="n num">{shown.length}</span>
    </button>
  )
}
