import { Tooltip } from '@mantine/core'
import { useApp, useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { ClockFact, NextAlarmFact } from './clock-facts.tsx'
import type { EngineStatus } from '../../shared/state.ts'

export function StatusBar() {
  const { w, f } = useWords()
  const status = useEngine((s) => s.status)
  const link = useEngine((s) => s.link.kind)
  const offline = link === 'stopped' || link === 'lost'
  return (
    <footer className="statusbar" aria-label={w.status.label}>
      {!status ? (
        <Skeleton width={140} />
      ) : (
        <>
          <span className="hstack">
            {offline ? (
              <Shape shape={link === 'stopped' ? 'failed' : 'held'} name={w.status.offline} />
            ) : (
              <Shape
                shape={status.paused ? 'paused' : 'working'}
                name={status.paused ? w.status.allPaused : w.status.running}
              />
            )}
            {offline ? (
              <span>{link === 'stopped' ? w.status.offline : w.status.lost}</span>
            ) : (
              <span>
                {w.status.engineOn}{' '}
                <span className="num">
                  {status.host}:{status.port}
                </span>
              </span>
            )}
          </span>
          {!offline && <span className="num">{w.status.working(status.counts.working)}</span>}
          {!offline && status.counts.needsYou > 0 && (
            <span className="needs strong num">{w.status.needYou(status.counts.needsYou)}</span>
          )}
          {status.simulator && (
            <Tooltip label={w.status.simulatorHint}>
              <span className="optional cut" tabIndex={0}>
                {w.status.simulator}
              </span>
            </Tooltip>
          )}
          {!offline && <Limits limits={status.limits ?? []} />}
          <span className="right" />
          {!offline && status.alarms && <NextAlarmFact alarms={status.alarms} />}
          <span className="num optional">
            {w.status.today(
              f.tokens(status.today.tokens),
              status.today.costUsd === null ? null : f.money(status.today.costUsd),
            )}
          </span>
          {!offline && status.timeSync && <ClockFact sync={status.timeSync} />}
        </>
      )}
    </footer>
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
