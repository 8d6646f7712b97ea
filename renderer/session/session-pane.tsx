import { useApp, useAway, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { CommandLine } from '../parts/copy-line.tsx'
import { Offered } from '../parts/offered.tsx'
import type { Tab } from '../state/place.ts'
import { NewTerminalButton } from '../terminals/new-terminal-button.tsx'
import { DetailsTab } from './details-tab.tsx'
import { DrivesTab } from './drives/drives-tab.tsx'
import { AttentionCard, needsAttention } from './goal/attention-card.tsx'
import { GoalCard } from './goal/goal-card.tsx'
import { HeldMarkerCards, HeldMarkersLine } from './goal/held-markers.tsx'
import { latestFollowup } from './goal/latest-followup.ts'
import { hasReview, rightCard } from './goal/right-card.ts'
import { RoundCard } from './goal/round-card.tsx'
import { Header } from './header.tsx'
import { LimitLine } from './limit-line.tsx'
import { NextAlarm } from './next-alarm.tsx'
import { OutageLine } from './outage/outage-line.tsx'
import { QueueTab } from './queue/queue-tab.tsx'
import { ReviewCard } from './review/review-card.tsx'
import { RoundsTab } from './rounds/rounds-tab.tsx'
import { Tabs } from './tabs.tsx'
import { AdoptPanes } from './terminal/adopt-panes.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { TimelineFilterMenu } from './timeline/filter-menu.tsx'
import { useMemo, useRef } from 'react'
import { AlarmsList } from '../alarms/alarms-list.tsx'
import { NewForm } from '../alarms/new-form.tsx'
import { useEdited } from '../alarms/edit-form.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import type { SessionView } from '../../shared/state.ts'

/**
 * One session: head, what needs a person, what is held now, cards and tabs. Only the timeline keeps these in view.
 * Where it has a terminal, that tab is TerminalPane's.
 */
export function SessionPane({ id, tab }: { id: string; tab: Tab }) {
  const session = useEngine((s) => s.sessions.get(id))
  const scroller = useRef<HTMLDivElement>(null)
  if (!session) return <Gone />
  return (
    <>
      <Header session={session} />
      {tab === 'terminal' ? (
        <>
          <HeldMarkersLine session={session} />
          <LimitLine session={session} />
          <OutageLine session={session} />
          <Tabs session={session} tab={tab} />
          <NoTerminal session={session} />
        </>
      ) : tab === 'alarms' ? (
        <>
          <HeldMarkersLine session={session} />
          <LimitLine session={session} />
          <OutageLine session={session} />
          <Tabs session={session} tab={tab} />
          <div id="panel-alarms" className="a-panel" role="tabpanel" aria-labelledby="tab-alarms">
            <AlarmsTab session={session} />
          </div>
        </>
      ) : (
        <div className="scroll" ref={scroller}>
          {tab === 'timeline' && needsAttention(session) && <AttentionCard session={session} />}
          {tab === 'timeline' ? <HeldMarkerCards session={session} /> : <HeldMarkersLine session={session} />}
          <LimitLine session={session} />
          <OutageLine session={session} />
          {tab === 'timeline' && <Cards session={session} />}
          <NextAlarm session={session} />
          <Tabs session={session} tab={tab} sticky>
            {tab === 'timeline' && <TimelineFilterMenu />}
          </Tabs>
          <div id={`panel-${tab}`} role="tabpanel" aria-labelledby={`tab-${tab}`}>
            {tab === 'timeline' && <TimelineTab session={session} scroller={scroller} />}
            {tab === 'queue' && <QueueTab session={session} />}
            {tab === 'rounds' && <RoundsTab session={session} />}
            {tab === 'drives' && <DrivesTab session={session} />}
            {tab === 'details' && <DetailsTab session={session} />}
          </div>
        </div>
      )}
    </>
  )
}

/** The alarms of one session, and where it gets another. */
function AlarmsTab({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const t = w.alarms
  const live = useLive('addAlarm')
  const all = useEngine((s) => s.alarms?.alarms)
  const alarms = useMemo(() => all?.filter(({ sessionId }) => sessionId === session.id) ?? [], [all, session.id])
  const setting = useUi(({ alarmForm }) =>
    alarmForm?.kind === 'new' && alarmForm.session === session.id ? alarmForm : null,
  )
  const edited = useEdited()
  const add = () => ui.setState({ alarmForm: { kind: 'new', session: session.id } })
  const button = (
    <Button
      does="addAlarm"
      icon="plus"
      tone={alarms.length === 0 ? 'primary' : undefined}
      keys={shortcuts.newAlarm}
      aria-keyshortcuts="A"
      disabled={!live}
      onClick={add}
    >
      {t.addHere}
    </Button>
  )
  const empty = alarms.length === 0 && edited === null
  const unknown = useAway() !== null && all === undefined
  return (
    <section className="a-tab" aria-label={t.ofSession}>
      {setting ? (
        <div className="a-new">
          <NewForm key={setting.task} session={session.id} task={setting.task} />
        </div>
      ) : (
        !empty && <div className="a-tab-head">{button}</div>
      )}
      {!empty ? (
        <AlarmsList alarms={alarms} filter="all" inSession onNew={add} />
      ) : (
        !setting && (
          <Empty icon="alarm" title={unknown ? w.machines.notKnown : t.tabEmptyTitle} text={t.tabEmptyText}>
            {button}
          </Empty>
        )
      )}
    </section>
  )
}

/**
 * Keep going, and beside it the followup that is held now, else what the reviewer found, else the latest followup with
 * its receipt.
 */
function Cards({ session }: { session: SessionView }) {
  const timeline = useEngine((s) => s.timelines.get(session.id))
  const followup = useMemo(() => latestFollowup(session.queue, timeline?.events ?? []), [session.queue, timeline])
  const wanted = useUi((s) => s.followupCards.has(session.id))
  const shown = rightCard({
    attention: needsAttention(session),
    review: hasReview(session),
    followup: followup === null ? null : followup.hold === null ? 'over' : 'held',
    followupWanted: wanted,
  })
  return (
    <div className={`d-cards${shown === null ? ' single' : ''}`}>
      <GoalCard session={session} />
      {shown === 'review' && <ReviewCard session={session} />}
      {shown === 'followup' && followup && <RoundCard session={session} followup={followup} />}
    </div>
  )
}

/** The terminal's tab of a session that has none. */
function NoTerminal({ session }: { session: SessionView }) {
  const { w } = useWords()
  return (
    <div id="panel-terminal" role="tabpanel" aria-labelledby="tab-terminal" style={{ display: 'contents' }}>
      <Empty icon="term" title={w.terminal.none} text={w.terminal.noneText}>
        <NewTerminalButton />
        <CommandLine text={`onward ${session.client === 'other' ? 'run -- …' : session.client}`} />
        <Offered to="adoptPane">
          <AdoptPanes session={session} />
        </Offered>
      </Empty>
    </div>
  )
}

/** In the place of a session or terminal that is not there any more, once the engine has sent what there is. */
export function Gone() {
  const { w } = useWords()
  const known = useEngine((s) => s.status !== null)
  return known ? <Empty icon="search" title={w.empty.goneTitle} text={w.empty.goneText} /> : null
}
