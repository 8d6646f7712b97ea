import { useApp, useEngine, useLive, useSettings, useWords } from '../app-context.ts'
import { canShellOpen, shellInstallation, shellOpen } from '../control/shell.ts'
import { languageNames } from '../i18n/index.ts'
import { OpenFirstRun } from '../first-run/open-button.tsx'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { Offered } from '../parts/offered.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { boundsOf } from '../../shared/policy/apply.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { Clock } from './clock.tsx'
import { Diagnostics, LastCrash } from './diagnostics.tsx'
import { KeepGoing, Reviewer } from './keep-going.tsx'
import { Organisation } from './organisation.tsx'
import { Outside } from './outside/outside.tsx'
import { Tools } from './tools.tsx'
import { SettingViews } from './fields/setting-views.tsx'
import { Sections } from './sections.tsx'
import { Security } from './security/security.tsx'
import { Updates } from './updates.tsx'
import { Machines } from './machines/machines.tsx'
import { Phones } from './phones/phones.tsx'
import { ThisDevice } from '../phone/this-device.tsx'
import { useState } from 'react'
import { WithCode } from '../parts/said.tsx'
import { InShell } from './installed/in-shell.tsx'
import { noticeClasses } from '../../shared/notice-classes.ts'
import { QuietHours } from './quiet-hours.tsx'
import { SettingSwitch } from './setting-switch.tsx'

export function SettingsView() {
  const { w } = useWords()
  const { isDevice } = useApp()
  const status = useEngine((s) => s.status)
  return (
    <main className="pane" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{w.settings.title}</h1>
        <span className="grow" />
        <OpenFirstRun />
      </header>
      <Sections>
        <Offered to="lastCrash">
          <LastCrash />
        </Offered>
        {isDevice() && <ThisDevice />}
        {status?.policy && <Organisation policy={status.policy} />}
        <Appearance />
        <Keyboard />
        <Offered to="setSetting">
          <SettingViews>
            {status?.budgets && <KeepGoing budgets={status.budgets} bounds={boundsOf(status.policy?.policies)} />}
            {status?.review && <Reviewer review={status.review} />}
            {status?.timeSync && <Clock status={status} />}
            {status?.servertools && <Tools servertools={status.servertools} />}
            {status && <Security status={status} />}
          </SettingViews>
          <Windows />
          <Phones />
          <Machines />
          {status?.notifications && <Notifications status={status} />}
          {status && <Outside />}
          {status && <Installed status={status} />}
        </Offered>
        {status && <Engine status={status} />}
        <Offered to="doctor">
          <Updates on={status?.updates} />
          <Diagnostics />
        </Offered>
      </Sections>
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

function Engine({ status }: { status: EngineStatus }) {
  const { navigation } = useApp()
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
            {canShellOpen() && (
              <Button tone="quiet" small icon="folder" onClick={() => shellOpen('home')}>
                {w.config.openFolder}
              </Button>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.config}</dt>
          <dd>
            <CopyLine text={status.configPath} />
          </dd>
        </div>
      </dl>
      <div className="hstack">
        <Button does="configText" icon="edit" onClick={() => navigation.go({ view: 'settings', page: 'config' })}>
          {w.config.edit}
        </Button>
        <Button does="logPage" icon="list" onClick={() => navigation.go({ view: 'settings', page: 'logs' })}>
          {w.config.showLogs}
        </Button>
      </div>
    </section>
  )
}

/** How Onward is installed here, and how it goes again. */
function Installed({ status }: { status: EngineStatus }) {
  const { w } = useWords()
  const [shell] = useState(shellInstallation)
  const t = w.installed
  return (
    <section aria-label={t.title}>
      <h2>{t.title}</h2>
      {shell ? (
        <InShell shell={shell} />
      ) : (
        <>
          <div className="by-command">
            <h3>{t.service}</h3>
            <p className="meta">{status.service ? t.serviceRuns : t.serviceNot}</p>
            <CopyLine text={status.service ? 'onward service status' : 'onward service install'} />
          </div>
          <div className="by-command">
            <h3>{t.uninstall}</h3>
            <p className="meta">
              <WithCode text={t.uninstallBy} />
            </p>
            <CopyLine text="onward uninstall" />
          </div>
        </>
      )}
    </section>
  )
}

/** Ends the access of every window, this one's too. */
function Windows() {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const t = w.settings
  return (
    <section aria-label={t.windows}>
      <div className="set-row">
        <div>
          <h2>{t.windows}</h2>
          <p className="meta">
            <WithCode text={t.windowsHint} />
          </p>
        </div>
        <Button disabled={!live} onClick={() => void actions.signOutWindows()}>
          {t.signOut}
        </Button>
      </div>
    </section>
  )
}

/** The notifications of the desktop and the browser. */
function Notifications({ status }: { status: EngineStatus }) {
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
