import type {
  CommandState,
  Installation,
  InstallationChange,
  LoginState,
} from '../../../shared/commands/shell-calls.ts'
import { useWords } from '../../app-context.ts'
import type { ShellInstallation } from '../../control/shell.ts'
import type { Words } from '../../i18n/index.ts'
import { Button } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import { useEffect, useState } from 'react'
import { CopyLine } from '../../parts/copy-line.tsx'
import { WithCode } from '../../parts/said.tsx'
import { Problem } from '../../parts/trouble.tsx'

/** In the desktop app, which can ask the system itself. */
export function InShell({ shell }: { shell: ShellInstallation }) {
  const { w } = useWords()
  const { now, trouble, busy, set } = useInstallation(shell)
  const t = w.installed
  const login = now?.login ?? null
  const hint = login === null ? null : loginHint(login, w)
  return (
    <>
      <Problem text={trouble} />
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

interface InstallationHere {
  /** null: not read yet, or the system does not say */
  now: Installation | null
  /** why the last change was not made */
  trouble: string | null
  busy: boolean
  set(change: (shell: ShellInstallation) => Promise<InstallationChange>): void
}

/** The system's current state: asked again whenever the page is looked at, since it can be changed elsewhere. */
function useInstallation(shell: ShellInstallation): InstallationHere {
  const [now, setNow] = useState<Installation | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const read = () =>
      shell.installation().then(setNow, (error: unknown) => {
        setTrouble(error instanceof Error ? error.message : String(error))
      })
    void read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [shell])
  return {
    now,
    trouble,
    busy,
    set(change) {
      setBusy(true)
      setTrouble(null)
      change(shell)
        .then(
          ({ now: after, trouble: why }) => {
            setNow(after)
            setTrouble(why)
          },
          (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => setBusy(false))
    },
  }
}

/** `onward` for terminals, which can be installed and removed where no package brought it. */
function TheCommand(props: { state: CommandState; busy: boolean; onSet(on: boolean): void }) {
  const { state, busy, onSet } = props
  const { w } = useWords()
  const t = w.installed
  const offPath = state.kind === 'installed' && !state.onPath
  const said = {
    absent: () => t.commandAbsent,
    installed: () => (state.kind === 'installed' ? t.commandAt(state.path) : ''),
    'with-package': () => t.commandWithPackage,
    foreign: () => (state.kind === 'foreign' ? t.commandForeign(state.path) : ''),
    impossible: () => (state.kind === 'impossible' ? t.commandNot[state.why] : ''),
  }[state.kind]()
  return (
    <div>
      <div className="set-row">
        <div>
          <h3>
            <WithCode text={t.command} />
          </h3>
          <p className="meta">
            <WithCode text={offPath ? `${said} ${t.commandOffPath}` : said} />
          </p>
        </div>
        {state.kind === 'absent' && (
          <Button busy={busy} onClick={() => onSet(true)}>
            {t.install}
          </Button>
        )}
        {state.kind === 'installed' && (
          <Button busy={busy} onClick={() => onSet(false)}>
            {t.remove}
          </Button>
        )}
      </div>
      {offPath && <CopyLine text={'export PATH="$HOME/.local/bin:$PATH"'} />}
    </div>
  )
}
