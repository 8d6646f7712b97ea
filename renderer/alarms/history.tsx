import { AppContext, appOf, useApp, useLive, useOfAll, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { IconButton } from '../parts/button.tsx'
import { useMinute } from '../time/engine-time.ts'
import type { AlarmEnd } from '../../shared/alarms/alarms.ts'
import { excerpt } from '../../shared/sentences/excerpt.ts'
import type { SessionShape } from '../../shared/words.ts'
import { useAlarmTimes } from './use-alarm-times.ts'
import type { Words } from '../i18n/index.ts'
import type { AlarmTimes } from './alarm-times.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import type { ShownAlarms } from './all-alarms.ts'

const shapes: Record<AlarmEnd['kind'], SessionShape> = {
  delivered: 'done',
  cancelled: 'idle',
  missed: 'failed',
  skipped: 'idle',
  dismissed: 'idle',
  rescheduled: 'idle',
}

type PastAlarm = ShownAlarms['history'][number]

/** How alarms ended, newest first. One that was not delivered can be set again. */
export function History({ history }: { history: readonly PastAlarm[] }) {
  const app = useApp()
  const { w } = useWords()
  return (
    <ul className="hist" aria-label={w.alarms.history}>
      {history.map((past) => (
        <AppContext key={`${past.machine} ${past.id}`} value={appOf(app, past)}>
          <Past past={past} />
        </AppContext>
      ))}
    </ul>
  )
}

function Past({ past }: { past: PastAlarm }) {
  const { ui } = useApp()
  const words = useWords()
  const { w, s } = words
  const times = useAlarmTimes()
  const now = useMinute()
  const live = useLive()
  const all = useOfAll()
  const { at, end, task, sessionId, machine } = past
  return (
    <li>
      <time className="num meta" dateTime={new Date(at).toISOString()} title={times.f.instant(at)}>
        {times.brief(at, now)}
      </time>
      <Shape shape={shapes[end.kind]} name={s.shape(shapes[end.kind])} />
      <span className="meta t2 wrap" title={task}>
        {endSaid(past, words, times, now)} {all && <MachineMark machine={machine ?? null} />}
      </span>
      {(end.kind === 'dismissed' || end.kind === 'cancelled') && (
        <IconButton
          does="addAlarm"
          icon="undo"
          small
          name={w.alarms.setAgainOf(excerpt(task, 40))}
          disabled={!live}
          onClick={() =>
            ui.setState({ missedOpen: false, alarmForm: { kind: 'new', session: sessionId, task, machine } })
          }
        />
      )}
    </li>
  )
}

/** How an alarm ended, as a sentence. */
function endSaid(
  { task, sessionName, end, repeat }: Pick<PastAlarm, 'task' | 'sessionName' | 'end' | 'repeat'>,
  { w }: Words,
  times: AlarmTimes,
  now: number,
): string {
  const t = w.alarms.ended
  const what = excerpt(task, 60)
  switch (end.kind) {
    case 'delivered': {
      const said = t[end.route](what, sessionName)
      return end.late ? t.late(said) : said
    }
    case 'cancelled':
      return t.cancelled[end.by](what, sessionName)
    case 'missed':
      return repeat?.passed === undefined
        ? t.missed(what, sessionName)
        : t.missedTimes(what, sessionName, repeat.passed + 1)
    case 'skipped':
      return t.skipped(what, sessionName)
    case 'dismissed':
      return t.dismissed(what, sessionName)
    case 'rescheduled':
      return t.rescheduled(what, sessionName, times.exact(end.to, now))
  }
}
