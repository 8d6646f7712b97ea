import { noticeClasses } from '../../shared/notice-classes.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { useWords } from '../app-context.ts'
import { QuietHours } from './quiet-hours.tsx'
import { SettingSwitch } from './setting-switch.tsx'

/** The notifications of the desktop and the browser. */
export function Notifications({ status }: { status: EngineStatus }) {
  const { w, s } = useWords()
  const t = w.settings
  const { notifications: on = {}, quietHours, zone } = status
  return (
    <section aria-label={t.notifications}>
      <h2>{t.notifications}</h2>
      <p className="meta">{t.notificationsHint}</p>
      <ul className="notice-classes">
        {noticeClasses.map((kind) => (
          <li key={kind}>
            <SettingSwitch name={`notifications.${kind}`} on={on[kind] !== false}>
              <span>{s.noticeClass(kind)}</span>
            </SettingSwitch>
          </li>
        ))}
      </ul>
      {quietHours && <QuietHours hours={quietHours} zone={zone} />}
    </section>
  )
}
