/**
 * Alarms as the dashboard's list shows them: countdown, time in the engine's zone, the words for the agent, the place,
 * and who set it.
 */
import { shapeGlyphs, type Figures, type Sentences } from '../../../shared/sentences/index.ts'
import type { AlarmView, MissedAlarm, MissedWhy } from '../../../shared/alarms/alarms.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { rows } from './columns.ts'
import type { Words } from './print.ts'

/** Enough of an id to distinguish alarms; every command takes such a beginning. */
export const shortId = (id: string): string => id.slice(0, 8)

const shapes: Readonly<Record<AlarmView['state']['kind'], SessionShape>> = {
  waits: 'idle',
  'under-way': 'held',
  delivered: 'done',
}
const byWhom = { user: 'you', model: 'model' } as const

export function countdown(
  { dueAt, state }: Pick<AlarmView, 'dueAt' | 'state'>,
  { span, left }: Figures,
  now: number,
): string {
  if (state.kind === 'delivered') return 'delivered'
  if (state.kind === 'under-way') return 'on its way'
  return dueAt > now ? `in ${left(dueAt, now)}` : now - dueAt < 1000 ? 'due now' : `${span(now - dueAt)} late`
}

export function alarmRows(
  alarms: readonly AlarmView[],
  { style, columns }: Words,
  { figures, sentences, zone }: { figures: Figures; sentences: Sentences; zone: string },
  now: number,
): string {
  return rows(
    alarms,
    [
      {
        text: ({ state }) => shapeGlyphs[shapes[state.kind]],
        paint: (text, { state }) => style.shape(shapes[state.kind], text),
        tight: true,
      },
      { text: (alarm) => countdown(alarm, figures, now), align: 'right', paint: style.strong },
      { text: ({ dueAt }) => figures.minuteOfDay(dueAt, now), align: 'right' },
      { text: ({ task }) => task, gives: 16 },
      ...(alarms.some(({ repeat }) => repeat)
        ? [{ text: ({ repeat }: AlarmView) => (repeat ? sentences.repeatNow({ ...repeat, shownIn: zone }) : '') }]
        : []),
      { text: ({ sessionName }) => sessionName, paint: style.quiet, most: 24 },
      { text: ({ setBy }) => byWhom[setBy], paint: style.quiet },
      { text: ({ taskId }) => shortId(taskId), paint: style.quiet },
    ],
    columns,
  )
}

const why: Readonly<Record<MissedWhy, string>> = {
  expired: 'no agent took it in time',
  failed: 'its terminal did not take it',
  unknown: 'cut off: it may have arrived',
}

export function missedRows(
  missed: readonly MissedAlarm[],
  { style, columns }: Words,
  figures: Figures,
  now: number,
): string {
  return rows(
    missed,
    [
      { text: () => shapeGlyphs.failed, paint: (text) => style.shape('failed', text), tight: true },
      { text: ({ dueAt }) => figures.minuteOfDay(dueAt, now), align: 'right', paint: style.strong },
      { text: ({ task }) => task, gives: 16 },
      { text: (one) => (one.times === undefined ? why[one.why] : `${one.times} times: ${why[one.why]}`) },
      { text: ({ sessionName }) => sessionName, paint: style.quiet, most: 24 },
      { text: ({ setBy }) => byWhom[setBy], paint: style.quiet },
      { text: ({ key }) => shortId(key), paint: style.quiet },
    ],
    columns,
  )
}
