import { useApp, useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Tip } from '../parts/tip.tsx'
import { figuresOf } from '../../shared/sentences/figures.ts'
import { fails } from '../../shared/routing.ts'
import { useMinute, usePageNow, useTimeOffset } from '../time/engine-time.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { lastSeen, needYou } from '../state/engine.ts'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { offsetText } from '../alarms/offset-text.ts'
import { Ticking } from '../time/ticking.tsx'
import type { ClockSync } from '../../shared/alarms/alarms.ts'

export function StatusBar() {
  const { w, s, f } = useWords()
  const status = useEngine((s) => s.status)
  const link = useEngine((s) => s.link.kind)
  const seen = useEngine(lastSeen)
  const asking = useEngine(needYou)
  const offline = seen !== null
  return (
    <footer className="statusbar" aria-label={w.status.label}>
      {!status ? (
        <Skeleton width={140} />
      ) : (
        <>
          <span className="hstack">
            {offline ? (
              <Shape shape={link === 'lost' ? 'held' : 'failed'} name={w.status.offline} />
            ) : (
              <Shape
                shape={status.paused ? 'paused' : 'working'}
                name={status.paused ? w.status.allPaused : w.status.running}
              />
            )}
            {offline ? (
              <span>
                {link === 'stopped' ? w.status.offline : w.status.lost}.{' '}
                <span className="num">{w.status.lastSeen(f.minute(seen))}</span>
              </span>
            ) : (
              <span>
                {w.status.engineOn}{' '}
                <span className="num">
                  {status.host}:{status.port}
                </span>
              </span>
            )}
          </span>
          {!offline && status.finishing && (
            <span className="num" title={w.status.finishingHint(f.time(status.finishing.until))}>
              {s.tray.finishing(status.finishing.answers)}
            </span>
          )}
          {!offline && <span className="num">{w.status.working(status.counts.activity)}</span>}
          {!offline && status.awake && (
            <span className={status.awake.problem === undefined ? 'optional' : 'needs cut'}>
              {s.tray.awake(status.awake)}
            </span>
          )}
          {!offline && asking > 0 && <span className="needs strong num">{w.status.needYou(asking)}</span>}
          {status.simulator && (
            <Tip label={w.status.simulatorHint}>
              <span className="optional cut" tabIndex={0}>
                {w.status.simulator}
              </span>
            </Tip>
          )}
          {!offline && <Failing />}
          {!offline && <Unsent places={status.outside ?? []} />}
          {!offline && <Limits limits={status.limits ?? []} />}
          <span className="right" />
          {!offline && status.alarms && <NextAlarmFact alarms={status.alarms} />}
          <span className="num optional status-today">
            {w.status.today(f.tokens(status.today.tokens), f.cost(status.today))}
          </span>
          <Zone />
          {!offline && status.timeSync && <ClockFact sync={status.timeSync} />}
        </>
      )}
    </footer>
  )
}

/** Where the person's clock shows another time than the engine's, whose times these are. */
function Zone() {
  const { clock } = useApp()
  const { w, zone, f, language } = useWords()
  if (zone === undefined) return null
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const now = clock.now()
  if (figuresOf(language, own).minute(now) === f.minute(now)) return null
  return (
    <span className="num" title={w.status.zoneHint(own)}>
      {w.status.zone(zone)}
    </span>
  )
}

/** Providers whose calls fail. */
function Failing() {
  const { navigation } = useApp()
  const { w, s, f } = useWords()
  const providers = useEngine((state) => state.providers)
  const [first, ...others] = providers?.filter(fails) ?? []
  const title = usePageNow((now) =>
    [first, ...others].map((one) => (one ? `${one.id}: ${s.health(one.health, now)}` : '')).join('\n'),
  )
  if (!first) return null
  const said = w.status.fails(first.id)
  return (
    <button
      type="button"
      className="status-limit failed strong"
      title={`${title}\n${w.status.limitHint}`}
      onClick={() => navigation.go({ view: 'providers' })}
    >
      <Shape shape="failed" />
      <span className="cut">{others.length === 0 ? said : f.list([said, w.status.moreLimits(others.length)])}</span>
    </button>
  )
}

/** A place that gets no notifications: a person who is away waits for them in vain. */
function Unsent({ places }: { places: NonNullable<EngineStatus['outside']> }) {
  const { navigation } = useApp()
  const { w, s } = useWords()
  const failing = places.filter(({ on, state }) => on && (state.kind === 'failed' || state.kind === 'retrying'))
  const [first] = failing
  if (!first) return null
  return (
    <button
      type="button"
      className="status-limit failed"
      title={[...failing.map(({ name, state }) => `${name}: ${s.outside.state(state)}`), w.outside.failingHint].join(
        '\n',
      )}
      onClick={() => navigation.go({ view: 'settings' })}
    >
      <Shape shape="failed" />
      <span className="cut">{w.outside.failing(first.name)}</span>
    </button>
  )
}

/** Providers at a limit: the one that lifts first, and how many there are besides. */
function Limits({ limits }: { limits: NonNullable<EngineStatus['limits']> }) {
  const { navigation } = useApp()
  const { w, s, f } = useWords()
  const [first, ...others] = limits.toSorted((a, b) => (a.lifts ?? Infinity) - (b.lifts ?? Infinity))
  if (!first) return null
  const said = s.tray.limit(first.provider, first.lifts)
  return (
    <button
      type="button"
      className="status-limit num"
      title={[...limits.map((limit) => s.tray.limit(limit.provider, limit.lifts)), w.status.limitHint].join('\n')}
      onClick={() => navigation.go({ view: 'providers' })}
    >
      <Shape shape="held" />
      <span className="cut">{others.length === 0 ? said : f.list([said, w.status.moreLimits(others.length)])}</span>
    </button>
  )
}

/** The next alarm of all; leads to them. */
function NextAlarmFact({ alarms: { next, waiting } }: { alarms: NonNullable<EngineStatus['alarms']> }) {
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
function ClockFact({ sync }: { sync: ClockSync }) {
  const { w, f } = useWords()
  const said = w.alarms.sync[sync.status]
  const title = [w.alarms.syncHint[sync.status], ...(sync.lastError === null ? [] : [sync.lastError])].join('\n')
  return (
    <span className="wide-only num" title={title}>
      {sync.status === 'synced' ? f.list([said, offsetText(sync.offsetMs, w)]) : said}
    </span>
  )
}
