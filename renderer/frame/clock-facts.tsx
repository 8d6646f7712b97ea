import { useApp, useWords } from '../app-context.ts'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { offsetText } from '../alarms/offset-text.ts'
import { useMinute, useTimeOffset } from '../time/engine-time.ts'
import { Ticking } from '../time/ticking.tsx'
import type { ClockSync } from '../../shared/alarms/alarms.ts'
import type { EngineStatus } from '../../shared/state.ts'

/** The next alarm of all; leads to them. */
export function NextAlarmFact({ alarms: { next, waiting } }: { alarms: NonNullable<EngineStatus['alarms']> }) {
  const { navigation } = useApp()
  const { w, f } = useWords()
  const times = useAlarmTimes()
  const offset = useTimeOffset()
  const now = useMinute()
  if (next === null) return null
  const title = [`${next.sessionName}: ${next.task}`, ...(waiting > 1 ? [w.alarms.more(waiting - 1)] : [])].join('\n')
  return (
    <button
      type="button"
      className="status-limit status-next num optional"
      title={title}
      onClick={() => navigation.go({ view: 'alarms' })}
    >
      <Ticking
        className="cut"
        text={(at) =>
          f.list([w.alarms.statusNext(times.short(next.dueAt, now)), times.countdown(next.dueAt, at + offset)])
        }
      />
    </button>
  )
}

/** Shows whether time servers agree with this computer's clock. */
export function ClockFact({ sync }: { sync: ClockSync }) {
  const { w, f } = useWords()
  const said = w.alarms.sync[sync.status]
  const title = [w.alarms.syncHint[sync.status], ...(sync.lastError === null ? [] : [sync.lastError])].join('\n')
  return (
    <span className="wide-only num" title={title}>
      {sync.status === 'synced' ? f.list([said, offsetText(sync.offsetMs, w)]) : said}
    </span>
  )
}
