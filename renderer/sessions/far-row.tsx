import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { homeShort } from '../parts/home-short.ts'
import { Ticking } from '../time/ticking.tsx'
import type { FarRow as Row } from './list-items.ts'
import type { RowPlace } from './session-row.tsx'

/** A session of another machine. It is shown here, and acted on there. */
export function FarRow(props: { place: RowPlace; row: Row; active: boolean; onActive: () => void }) {
  const { place, row, active, onActive } = props
  const { session, machine, away } = row
  const { w, s, f } = useWords()
  const shape = away ? 'gone' : session.shape
  const { say, stopMessage } = session
  return (
    <div
      {...place}
      className={`row${active ? ' is-active' : ''}${away ? ' stale' : ''}`}
      role="treeitem"
      aria-level={2}
      aria-selected={false}
      title={w.list.actThere(machine)}
      onClick={onActive}
    >
      <Shape shape={shape} name={s.shape(shape)} />
      <span className="row-name">
        <b title={session.name}>{session.name}</b>
        <span className="meta">
          {w.agents[session.client]} {w.list.onMachine(machine)}
        </span>
      </span>
      <span className="row-extra a cut">{homeShort(session.cwd)}</span>
      <span className="row-prog">{stopMessage && w.goal.ofRounds(stopMessage.used, stopMessage.max)}</span>
      <span className={`row-say cut${shape === 'needs' || shape === 'failed' ? ` ${shape}` : ''}`}>
        {away ? s.lastSeen(say) : <Ticking text={(now) => s.say(say, now)} />}
      </span>
      <span className="row-extra cut">{session.model}</span>
      <span className="row-side">
        <Ticking
          className="num"
          title={f.instant(session.lastActivityAt)}
          text={(now) => f.ago(shape === 'working' ? 0 : now - session.lastActivityAt)}
        />
      </span>
    </div>
  )
}
