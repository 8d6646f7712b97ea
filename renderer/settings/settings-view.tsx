import { useApp, useEngine, useSettings, useWords } from '../app-context.ts'
import { languageNames } from '../i18n/index.ts'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { noticeClasses } from '../../shared/events.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { Clock } from './clock.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { KeepGoing } from './keep-going.tsx'
import { Tools } from './tools.tsx'
import { Windows } from './windows.tsx'

export function SettingsView() {
  const { w } = useWords()
  const status = useEngine((s) => s.status)
  return (
    <main className="pane" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{w.settings.title}</h1>
      </header>
      <div className="scroll">
        <div className="settings">
          <Appearance />
          <Keyboard />
          {status?.budgets && <KeepGoing budgets={status.budgets} />}
          {status?.timeSync && <Clock status={status} />}
          {status?.servertools && <Tools servertools={status.servertools} />}
          {status?.notifications && <Notifications on={status.notifications} />}
          {status && <Engine status={status} />}
          <Windows />
          <Diagnostics />
        </div>
      </div>
    </main>
  )
}

function Appearance() {
  const { settings } = useApp()
  const { w } = useWords()
  const { theme, language } = useSettings((s) => s)
  const t = w.settings
  return (
    <section aria-label={t.appearance}>
      <h2>{t.appearance}</h2>
      <div className="set-row">
        <span>{t.theme}</span>
        <Segmented
          label={t.theme}
          value={theme}
          onChange={(next) => settings.setState({ theme: next })}
          options={[
            { value: 'light', text: t.light },
            { value: 'dark', text: t.dark },
            { value: 'auto', text: t.system },
          ]}
        />
      </div>
      <div className="set-row">
        <span>{t.language}</span>
        <Segmented
          label={t.language}
          value={language ?? 'auto'}
          onChange={(next) => settings.setState({ language: next === 'auto' ? null : next })}
          options={[
            ...languageNames.map((l) => ({ value: l.language, text: l.name })),
            { value: 'auto' as const, text: t.languageSystem },
          ]}
        />
      </div>
    </section>
  )
}

function Keyboard() {
  const { ui } = useApp()
  const { w } = useWords()
  return (
    <section aria-label={w.settings.keyboard}>
      <div className="set-row">
        <h2>{w.settings.keyboard}</h2>
        <Button keys="?" onClick={() => ui.setState({ dialog: { kind: 'shortcuts' } })}>
          {w.settings.allShortcuts}
        </Button>
      </div>
    </section>
  )
}

function Notifications({ on }: { on: NonNullable<EngineStatus['notifications']> }) {
  const { w, s } = useWords()
  const t = w.settings
  return (
    <section aria-label={t.notifications}>
      <h2>{t.notifications}</h2>
      <p className="meta">{t.notificationsHint}</p>
      <dl className="kv">
        {noticeClasses.map((kind) => (
          <div key={kind} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
            <dt className="t2">{s.noticeClass(kind)}</dt>
            <dd className={on[kind] === false ? 't3' : ''}>{on[kind] === false ? t.off : t.on}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Engine({ status }: { status: EngineStatus }) {
  const { w, f } = useWords()
  const t = w.settings
  return (
    <section aria-label={t.engine}>
      <h2>{t.engine}</h2>
      <dl className="kv">
        <div>
          <dt>{t.version}</dt>
          <dd className="num">{status.version}</dd>
        </div>
        <div>
          <dt>{t.address}</dt>
          <dd>
            <CopyLine text={`http://${status.host}:${status.port}`} />
          </dd>
        </div>
        <div>
          <dt>{t.pid}</dt>
          <dd className="num">{status.pid}</dd>
        </div>
        <div>
          <dt>{t.started}</dt>
          <dd className="num">{f.instant(status.startedAt)}</dd>
        </div>
        <div>
          <dt>{t.home}</dt>
          <dd>
            <CopyLine text={status.home} />
          </dd>
        </div>
        <div>
          <dt>{t.config}</dt>
          <dd>
            <CopyLine text={status.configPath} />
          </dd>
        </div>
      </dl>
    </section>
  )
}
