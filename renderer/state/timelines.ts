/** The events of one opened session: oldest first, each once, whether they came by page or live. */
import type { TimelineEvent } from '../../shared/events.ts'

export interface Timeline {
  phase: 'loading' | 'ready' | 'failed'
  events: readonly TimelineEvent[]
  /** older events can be asked for */
  more: boolean
  problem: string | null
}

/** Bounds what one long session costs in memory; older events can be loaded again. */
export const mostEvents = 20_000

const empty: Timeline = { phase: 'loading', events: [], more: false, problem: null }

export const loadingTimeline = (timeline: Timeline | undefined): Timeline => ({
  ...(timeline ?? empty),
  phase: 'loading',
  problem: null,
})

export const failedTimeline = (timeline: Timeline | undefined, problem: string): Timeline => ({
  ...(timeline ?? empty),
  phase: 'failed',
  problem,
})

/** Pages and live events may overlap and come in any order. */
export function loadedTimeline(
  timeline: Timeline | undefined,
  page: readonly TimelineEvent[],
  more: boolean,
): Timeline {
  const byId = new Map((timeline?.events ?? []).map((e) => [e.id, e]))
  for (const event of page) byId.set(event.id, event)
  return { phase: 'ready', events: [...byId.values()].toSorted(inOrder).slice(-mostEvents), more, problem: null }
}

export function appendEvent(timeline: Timeline, event: TimelineEvent): Timeline {
  const last = timeline.events.at(-1)
  const { events } = timeline
  if (!last || inOrder(last, event) < 0) {
    return {
      ...timeline,
      events: events.length >= mostEvents ? [...events.slice(1 - mostEvents), event] : [...events, event],
      more: timeline.more || events.length >= mostEvents,
    }
  }
  if (events.some((e) => e.id === event.id)) return timeline
  return { ...timeline, events: [...events, event].toSorted(inOrder) }
}

/** `seq` starts again with every engine run, so the instant comes first. */
export const inOrder = (a: Pick<TimelineEvent, 'at' | 'seq'>, b: Pick<TimelineEvent, 'at' | 'seq'>): number =>
  a.at - b.at || a.seq - b.seq
