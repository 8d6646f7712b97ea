import { useEngine, useWords } from '../app-context.ts'
import { offsetText } from '../alarms/offset-text.ts'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { Said } from '../parts/said.tsx'
import type { EngineStatus } from '../../shared/state.ts'

/**
 * What the engine goes by: its zone, what time servers say, how late an alarm may be. Read only; it is set in the
 * config.
 */
export function Clock({ status }: { status: EngineStatus }) {
  const { w, f } = useWords()
  const times = useAlarmTimes()
  const retention = useEngine((s) => s.alarms?.retentionMs ?? null)
  const t = w.settings
  const { timeSync: sync, alarms, zone, servertools, clock } = status
  const tool = servertools?.tools.find(({ name }) => name === 'clock')
  return (
    <section aria-label={t.clock}>
      <h2>{t.clock}</h2>
      <p className="meta">{t.clockHint}</p>
      <dl className="kv">
        {zone && (
          <div>
            <dt>{t.clockZone}</dt>
            <dd>{zone}</dd>
          </div>
        )}
        {sync && (
          <div>
            <dt>{t.clockSync}</dt>
            <dd className="num">
              {sync.status === 'disabled'
                ? w.alarms.sync.disabled
                : f.list([w.alarms.sync[sync.status], offsetText(sync.offsetMs, w)])}
            </dd>
          </div>
        )}
        {sync && (
          <div>
            <dt />
            <dd className="meta">{w.alarms.syncHint[sync.status]}</dd>
          </div>
        )}
        {sync && sync.status !== 'disabled' && (
          <div>
            <dt>{t.clockHeard}</dt>
            <dd className="num">{sync.at === null ? t.clockNever : times.f.instant(sync.at)}</dd>
          </div>
        )}
        {sync?.lastError && (
          <div>
            <dt>{t.clockError}</dt>
            <dd className="wrap">{sync.lastError}</dd>
          </div>
        )}
        {alarms && (
          <div>
            <dt>{t.clockWaiting}</dt>
            <dd className="num">{t.clockCounts(alarms.waiting, alarms.missed)}</dd>
          </div>
        )}
        {retention !== null && (
          <div>
            <dt>{t.clockLate}</dt>
            <dd className="num">{f.span(retention)}</dd>
          </div>
        )}
        {clock && (
          <div>
            <dt>{t.clockTag}</dt>
            <dd>{clock.enabled && clock.timeTag ? t.on : t.off}</dd>
          </div>
        )}
        {clock && (
          <div>
            <dt>{t.clockHold}</dt>
            <dd className="num">
              {clock.enabled && clock.holdMaxMs > 0 ? t.clockHoldUpTo(f.span(clock.holdMaxMs)) : t.off}
            </dd>
          </div>
        )}
        {tool && servertools && (
          <div>
            <dt>
              <Said text={t.clockTool} />
            </dt>
            <dd>{servertools.on && tool.on ? t.on : t.off}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
