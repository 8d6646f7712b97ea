import { useEngine } from '../app-context.ts'
import { Gone } from '../sessions/gone.tsx'
import type { Tab } from '../state/place.ts'
import { AlarmsTab } from './alarms-tab.tsx'
import { DetailsTab } from './details-tab.tsx'
import { Cards } from './goal/cards.tsx'
import { HeldMarkerCards, HeldMarkersLine } from './goal/held-markers.tsx'
import { Header } from './header.tsx'
import { LimitLine } from './limit-line.tsx'
import { NextAlarm } from './next-alarm.tsx'
import { OutageLine } from './outage/outage-line.tsx'
import { QueueTab } from './queue/queue-tab.tsx'
import { RoundsTab } from './rounds/rounds-tab.tsx'
import { Tabs } from './tabs.tsx'
import { NoTerminal } from './terminal/no-terminal.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { TimelineFilterMenu } from './timeline/filter-menu.tsx'
import { useRef } from 'react'

/**
 * One session: head, cards and tabs. Only the timeline keeps the cards in view. Where it has a terminal, that tab is
 * TerminalPane's.
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
          {tab === 'timeline' && <Cards session={session} />}
          {tab === 'timeline' ? <HeldMarkerCards session={session} /> : <HeldMarkersLine session={session} />}
          <LimitLine session={session} />
          <OutageLine session={session} />
          <NextAlarm session={session} />
          <Tabs session={session} tab={tab} sticky>
            {tab === 'timeline' && <TimelineFilterMenu />}
          </Tabs>
          <div id={`panel-${tab}`} role="tabpanel" aria-labelledby={`tab-${tab}`}>
            {tab === 'timeline' && <TimelineTab session={session} scroller={scroller} />}
            {tab === 'queue' && <QueueTab session={session} />}
            {tab === 'rounds' && <RoundsTab session={session} />}
            {tab === 'details' && <DetailsTab session={session} />}
          </div>
        </div>
      )}
    </>
  )
}
