import { type CSSProperties, memo, type MouseEvent } from 'react'
import { useStore } from 'zustand'
import { useApp, useEngine, useMay, useUi, useWords } from '../app-context.ts'
import { failsNow } from '../../shared/asks-for-person.ts'
import { canReArm } from '../commands.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Ticking } from '../time/ticking.tsx'
import { homeShort } from '../parts/home-short.ts'
import { RenameInput } from './rename-input.tsx'
import type { HeldMarkerView, SessionView, StopMessageView } from '../../shared/state.ts'
import { Countdown } from '../alarms/countdown-text.tsx'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { useMinute } from '../time/engine-time.ts'

export interface RowPlace {
  id: string
  'aria-posinset': number
  'aria-setsize': number
}
interface RowProps {
  place: RowPlace
  session: SessionView
  selected: boolean
  active: boolean
  onOpen: () => void
}

/**
 * One session in two lines: shape, name, sentence, number. Its place among the others changes with each of them; its
 * content does not.
 */
export function SessionRow({ place, session, selected, active, onOpen }: RowProps) {
  const { ui } = useApp()
  const offline = useEngine((state) => state.link.kind === 'stopped')
  const mayRename = useMay('renameSession')
  return (
    <div
      {...place}
      className={`row${active ? ' is-active' : ''}${offline ? ' stale' : failsNow(session) ? ' fails' : ''}`}
      role="treeitem"
      aria-level={2}
      aria-selected={selected}
      onClick={onOpen}
      onDoubleClick={() => {
        if (mayRename) ui.setState({ renaming: session.id })
      }}
    >
      <Inside session={session} offline={offline} onOpen={onOpen} />
    </div>
  )
}

type InsideProps = Pick<RowProps, 'session' | 'onOpen'> & { offline: boolean }

const Inside = memo(InsideRow, (a, b) => a.session === b.session && a.offline === b.offline)

function InsideRow({ session, offline, onOpen }: InsideProps) {
  const { w, s, f } = useWords()
  const { actions, machine, here } = useApp()
  const several = useStore(here.engine, (state) => state.machines.length > 0)
  const renaming = useUi((state) => state.renaming === session.id)
  const mayReArm = useMay('rearmStopMessage')
  const mayApply = useMay('applyMarker')
  const { shape, say, stopMessage } = session
  /** a marker waits for a word, and nothing more urgent does */
  const asked = shape === 'needs' || shape === 'failed' ? undefined : session.heldMarkers?.at(-1)
  const fails = failsNow(session)
  const tone = offline ? '' : shape === 'failed' ? ' failed' : shape === 'needs' || asked || fails ? ' needs' : ''
  const route =
    session.route && session.route.model !== session.model
      ? `${session.model ?? ''} → ${session.route.provider}/${session.route.model}`
      : session.model
  return (
    <>
      <Shape shape={offline ? 'gone' : shape} name={s.shape(offline ? 'gone' : shape)} />
      <span className="row-name">
        {renaming ? (
          <RenameInput session={session} />
        ) : (
          <>
            <b title={session.name}>{session.name}</b>
            <span className="meta">{w.agents[session.client]}</span>
            <InEditor terminalId={session.terminalId} />
            {several && <MachineMark machine={machine} />}
            {session.pinned && <Icon name="pin" />}
            {session.archived && <span className="meta">{w.session.isArchived}</span>}
          </>
        )}
      </span>
      <span className="row-extra a cut">{homeShort(session.cwd)}</span>
      <span className="row-prog">
        {stopMessage && (
          <Progress
            goal={stopMessage}
            quiet={offline || fails || (shape !== 'working' && shape !== 'held' && shape !== 'needs')}
          />
        )}
      </span>
      <span className={`row-say cut${tone}`}>
        {offline ? (
          s.lastSeen(say)
        ) : asked ? (
          <span title={asked.marker}>{s.markerHeld(asked.why)}</span>
        ) : say.code === 'working' || say.code === 'limited' ? (
          <Ticking text={(now) => s.say(say, now)} />
        ) : say.code === 'idle' && session.nextAlarm ? (
          <IdleUntil dueAt={session.nextAlarm.dueAt} />
        ) : (
          <span title={s.say(say, 0)}>{s.say(say, 0)}</span>
        )}
      </span>
      <span className="row-extra cut">{route}</span>
      <span className="row-side">
        {say.code === 'failed' && canReArm(session) && !offline && mayReArm ? (
          <button
            type="button"
            className="link"
            onClick={(e) => {
              e.stopPropagation()
              void actions.reArm(session.id)
            }}
          >
            {w.list.reArm}
          </button>
        ) : asked && !offline && mayApply ? (
          <MarkerLinks session={session.id} held={asked} onOpen={onOpen} />
        ) : session.nextAlarm && !offline ? (
          <NextCell next={session.nextAlarm} />
        ) : (
          <Ticking
            className="num"
            title={f.instant(session.lastActivityAt)}
            text={(now) => f.ago(shape === 'working' ? 0 : now - session.lastActivityAt)}
          />
        )}
      </span>
    </>
  )
}

function Progress({ goal, quiet }: { goal: StopMessageView; quiet: boolean }) {
  const { w } = useWords()
  const { used, max } = goal
  const fill: CSSProperties & { '--p': number } = { '--p': max === null ? 1 : Math.min(1, used / max) }
  return (
    <>
      <i className={`micro${max === null ? ' open' : ''}${quiet ? ' quiet' : ''}`} style={fill} aria-hidden="true" />
      <span aria-hidden="true">{w.goal.ofRounds(used, max)}</span>
      <span className="sr">{w.list.rounds(used, max)}</span>
    </>
  )
}

/** At the side of a session's row: what to do with a marker that was not followed. */
function MarkerLinks({ session, held, onOpen }: { session: string; held: HeldMarkerView; onOpen: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const link = (text: string, act: () => void) => (
    <button
      type="button"
      className="link"
      onClick={(event: MouseEvent) => {
        event.stopPropagation()
        act()
      }}
    >
      {text}
    </button>
  )
  // A goal in a file is looked at first.
  if (held.goal !== undefined) return link(w.card.markerLook, onOpen)
  return (
    <>
      {link(w.card.markerApply, () => void actions.applyMarker(session, held.id))}
      {' / '}
      {link(w.card.markerForget, () => void actions.forgetMarker(session, held.id))}
    </>
  )
}

/** Nothing goes on until an alarm rings. */
function IdleUntil({ dueAt }: { dueAt: number }) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  return <span title={times.f.instant(dueAt)}>{w.alarms.idleUntil(times.said(dueAt, now))}</span>
}

/** At the side of a session's row: when its next alarm rings. */
function NextCell({ next }: { next: NonNullable<SessionView['nextAlarm']> }) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const brief = times.brief(next.dueAt, now)
  return (
    <span className="row-next" title={`${w.alarms.rowNext(times.exact(next.dueAt, now))}\n${next.task}`}>
      <Icon name="alarm" />
      <span className="sr">{w.alarms.next} </span>
      <span className="num">{brief}</span>
      <span className="row-next-in">
        , <Countdown dueAt={next.dueAt} />
      </span>
    </span>
  )
}

/** Marks an agent that an editor drives: it has no screen, and is written to there. */
export function InEditor({ terminalId }: { terminalId: string | null }) {
  const { w } = useWords()
  const isAcp = useEngine((s) => terminalId !== null && s.terminals.get(terminalId)?.home === 'acp')
  if (!isAcp) return null
  return (
    <span className="meta" title={w.terminal.readOnlyAcp}>
      <Icon name="edit" /> {w.terminal.inEditor}
    </span>
  )
}
