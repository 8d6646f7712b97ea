import type { LoginState } from '../../../shared/commands/shell-calls.ts'
import { useWords } from '../../app-context.ts'
import type { ShellInstallation } from '../../control/shell.ts'
import type { Words } from '../../i18n/index.ts'
import { Button } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import { TheCommand } from './the-command.tsx'
import { useInstallation } from './use-installation.ts'

/** In the desktop app, which can ask the system itself. */
export function InShell({ shell }: { shell: ShellInstallation }) {
  const { w } = useWords()
  const { now, trouble, busy, set } = useInstallation(shell)
  const t = w.installed
  const login = now?.login ?? null
  const hint = login === null ? null : loginHint(login, w)
  return (
    <>
      {trouble !== null && (
        <p className="meta failed" role="alert">
          {trouble}
        </p>
      )}
      <div>
        <Switch
          checked={login?.kind === 'on'}
          disabled={busy || login === null || login.kind === 'impossible'}
          onChange={(on) => set((s) => s.setLogin(on))}
        >
          <span>{t.atLogin}</span>
        </Switch>
        {hint !== null && <p className="meta">{hint}</p>}
        {now && now.tray !== 'shown' && <p className="meta">{t.trayMissing[now.tray]}</p>}
      </div>
      {now && <TheCommand state={now.command} busy={busy} onSet={(on) => set((s) => s.setCommand(on))} />}
      <div className="set-row">
        <div>
          <h3>{t.uninstall}</h3>
          <p className="meta">{t.uninstallHint}</p>
        </div>
        <Button onClick={() => void shell.uninstall()}>{t.uninstallNow}</Button>
      </div>
    </>
  )
}

function loginHint(login: LoginState, { installed: t }: Words['w']): string | null {
  switch (login.kind) {
    case 'on':
    case 'off':
      return null
    case 'held-back':
      return t.loginBy[login.by]
    case 'other':
      return t.loginOther(login.command)
    case 'impossible':
      return login.why === 'other-home' ? t.loginOtherHome(login.path) : t.loginForeign(login.path)
  }
}
