import { useWords } from '../app-context.ts'
import { offsetText } from '../alarms/offset-text.ts'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { Said } from '../parts/said.tsx'
import { More } from './fields/more.tsx'
import { Setting } from './fields/setting.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import type { EngineStatus } from '../../shared/state.ts'

/** The engine's clock: its zone, the state of the time sync, how late an alarm may be. */
export function Clock({ status }: { status: EngineStatus }) {
  const { w, f } = useWords()
  const times = useAlarmTimes()
  const t = w.settings
  const { timeSync: sync, alarms, zone, servertools, clock } = status
  const tool = servertools?.tools.find(({ name }) => name === 'clock')
  return (
    <section aria-label={t.clock}>
      <h2>{t.clock}</h2>
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
        {clock && (
          <div>
            <dt />
            <dd>
              <SettingSwitch name="clock.timeTag" on={clock.timeTag}>
                <span>{t.clockTag}</span>
              </SettingSwitch>
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
      <Setting name="clock.retentionMs" unit="minutes" />
      <Setting name="clock.holdMaxMs" unit="seconds" />
      <Setting name="clock.holdNonStreaming" />
      {sync && (
        <SettingSwitch name="clock.ntp.enabled" on={sync.status !== 'disabled'}>
          <span>{t.clockAsk}</span>
        </SettingSwitch>
      )}
      <Setting name="clock.ntp.servers" />
      <More>
        <Setting name="clock.dueWindowMs" unit="seconds" />
        <Setting name="clock.tickMs" unit="seconds" />
        <Setting name="clock.ntp.timeoutMs" unit="seconds" />
        <Setting name="clock.ntp.refreshMs" unit="minutes" />
      </More>
    </section>
  )
}
