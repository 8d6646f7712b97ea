/** The machines above the list of all their sessions: where somebody is needed, what is away, and the filter by one. */
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { asksForPerson, works } from '../../shared/asks-for-person.ts'
import { Shape } from '../icons/shape.tsx'
import type { SessionView } from '../../shared/state.ts'
import type { MachineView } from '../../shared/machines.ts'
import type { SessionShape } from '../../shared/words.ts'
import { fleetFilter } from '../state/ui.ts'

export function MachineList() {
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
