/** The machines above the list of all their sessions: where somebody is needed, what is away, and the filter by one. */
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { asksForPerson, works } from '../../shared/asks-for-person.ts'
import { Shape } from '../icons/shape.tsx'
import type { SessionView } from '../../shared/state.ts'
import type { MachineState } from '../../shared/machines.ts'
import type { SessionShape } from '../../shared/words.ts'

export function MachineList() {
  const { w } = useWords()
  const machines = useEngine((s) => s.machines)
  const sessions = useEngine((s) => s.sessions)
  if (machines.length === 0) return null
  return (
    <div className="machine-list" role="group" aria-label={w.machines.title}>
      <Machine machine="" name={w.machines.thisOne} state={null} sessions={[...sessions.values()]} />
      {machines.map(({ name, state, sessions: there }) => (
        <Machine key={name} machine={name} name={name} state={state} sessions={there} />
      ))}
    </div>
  )
}

interface MachineProps {
  /** as the filter has it */
  machine: string
  name: string
  /** null: this one */
  state: MachineState | null
  sessions: readonly SessionView[]
}

function Machine({ machine, name, state, sessions }: MachineProps) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const chosen = useUi(({ filter }) => filter.machine === machine)
  const t = w.machines
  const shown = sessions.filter(({ archived, shape }) => !archived && shape !== 'gone')
  const asking = shown.filter(asksForPerson).length
  const busy = shown.filter(works).length
  const away = state !== null && state.kind !== 'there'
  const shape: SessionShape = away ? 'gone' : asking > 0 ? 'needs' : busy > 0 ? 'working' : 'idle'
  const said =
    state?.kind === 'connecting'
      ? t.connecting
      : state?.kind === 'away'
        ? state.seen
          ? t.lastSeen(f.minute(state.since))
          : t.never
        : asking > 0
          ? t.needs(asking)
          : busy > 0
            ? t.working(busy)
            : ''
  return (
    <button
      type="button"
      className={chosen ? 'on' : undefined}
      aria-pressed={chosen}
      title={state?.kind === 'away' ? (t.why[state.why.code] ?? state.why.message) : chosen ? t.every : t.only(name)}
      onClick={() => ui.setState(({ filter }) => ({ filter: { ...filter, machine: chosen ? null : machine } }))}
    >
      <Shape shape={shape} name={s.shape(shape)} />
      <span className="cut">{name}</span>
      <span className={`meta${shape === 'needs' ? ' needs' : ''}`}>{said}</span>
      <span className="n num">{shown.length}</span>
    </button>
  )
}
