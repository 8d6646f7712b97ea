import { useApp, useEngine, useLive, useMay, useUi, useWords } from '../app-context.ts'
import { ApproveCheck } from '../session/checks/approve-check.tsx'
import { AddProvider } from '../providers/add-provider.tsx'
import { NewTerminal } from '../terminals/new-terminal.tsx'
import { Palette } from './palette.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Key } from '../parts/key.tsx'
import { Button } from '../parts/button.tsx'
import { type FormEvent, useState } from 'react'
import { TextField } from '../parts/field.tsx'

export function Dialogs() {
  const { ui } = useApp()
  const dialog = useUi((s) => s.dialog)
  const mayOpen = useMay('openTerminal')
  // Before the engine has said who this is, nothing is asked for that it may refuse.
  const known = useEngine((s) => s.status !== null)
  const close = () => ui.setState({ dialog: null })
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'palette':
      return <Palette onClose={close} />
    case 'add-provider':
      return <AddProvider onClose={close} />
    case 'approve-check':
      return <ApproveCheck asked={dialog} onClose={close} />
    case 'delete-session':
      return <DeleteSession session={dialog.session} onClose={close} />
    case 'new-terminal':
      if (!known) return null
      return mayOpen ? <NewTerminal onClose={close} /> : <NotHere onClose={close} />
    case 'shortcuts':
      return <ShortcutSheet onClose={close} />
    case 'close-terminal':
      return <CloseTerminal terminal={dialog.terminal} onClose={close} />
    case 'rename-terminal':
      return <RenameTerminal terminal={dialog.terminal} onClose={close} />
  }
}

/** An address led here on a paired device: what is pressed there leads to nothing that it may not do. */
function NotHere({ onClose }: { onClose: () => void }) {
  const { w } = useWords()
  return (
    <Dialog title={w.commands.newTerminal} size={420} onClose={onClose}>
      <p className="t2">{w.phone.notHere}</p>
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {w.phone.done}
        </Button>
      </div>
    </Dialog>
  )
}

function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { w } = useWords()
  const c = w.commands
  const lines: [string, readonly string[]][] = [
    [c.palette, [shortcuts.palette]],
    [`${w.views.sessions} … ${w.views.settings}`, ['Ctrl 1', '…', 'Ctrl 5']],
    [c.moveInList, ['↑', '↓', 'Home', 'End']],
    [c.openDetail, ['Enter']],
    [c.back, [shortcuts.back]],
    [`${w.session.tabs.timeline} … ${w.session.tabs.drives}`, ['1', '…', '7']],
    [c.nextNeedsYou, [shortcuts.nextNeedsYou]],
    [c.newTerminal, [shortcuts.newTerminal]],
    [c.pauseSession, [shortcuts.pauseSession]],
    [c.pauseAll, [shortcuts.pauseAll]],
    [c.editGoal, [shortcuts.editGoal]],
    [c.addTen, [shortcuts.addTen]],
    [c.whyOfEvent, [shortcuts.why]],
    [c.newAlarm, [shortcuts.newAlarm]],
    [c.snoozeNext, [shortcuts.snooze]],
    [c.editInList, ['E', 'Del']],
    [c.searchList, [shortcuts.search]],
    [c.rename, [shortcuts.rename]],
    [c.archive, [shortcuts.archive]],
    [c.reArm, [shortcuts.reArm]],
    [c.undo, [shortcuts.undo]],
    [c.nextPane, [shortcuts.nextPane, shortcuts.previousPane]],
    [c.findInTerminal, [shortcuts.findInTerminal]],
    [c.shortcuts, [shortcuts.help]],
  ]
  return (
    <Dialog title={w.shortcuts.title} size={640} onClose={onClose}>
      <ul className="keys" tabIndex={-1} data-autofocus>
        {lines.map(([name, keys]) => (
          <li key={name}>
            <span className="cut">{name}</span>
            <span className="hstack" style={{ gap: 4 }}>
              {keys.map((k) =>
                k === '…' ? (
                  <span key={k} className="t3">
                    …
                  </span>
                ) : (
                  <Key key={k} keys={k} />
                ),
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="meta" style={{ marginTop: 12 }}>
        {w.shortcuts.note}
      </p>
    </Dialog>
  )
}

/** Deleted data can't be brought back, so this dialog asks, and says what goes with the session. */
function DeleteSession({ session, onClose }: { session: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const view = useEngine((s) => s.sessions.get(session))
  const t = w.session.delete
  const name = view?.name ?? session
  const alarms = view?.nextAlarm?.waiting ?? 0
  return (
    <Dialog title={t.title(name)} size={420} onClose={onClose}>
      <p className="t2">{t.text}</p>
      {view?.stopMessage && <p className="t2">{t.goal}</p>}
      {alarms > 0 && <p className="t2">{t.alarms(alarms)}</p>}
      <p className="meta" style={{ marginTop: 8 }}>
        {t.stays}
      </p>
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {t.keep}
        </Button>
        <Button
          tone="danger"
          disabled={!live}
          onClick={() => {
            onClose()
            void actions.deleteSession(session, name)
          }}
        >
          {t.yes}
        </Button>
      </div>
    </Dialog>
  )
}

/** Closing ends a program and can't be undone, so this one asks. */
function CloseTerminal({ terminal, onClose }: { terminal: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const name = useEngine((s) => s.terminals.get(terminal)?.name ?? terminal)
  return (
    <Dialog title={w.terminal.closeTitle(name)} size={420} onClose={onClose}>
      <p className="t2">{w.terminal.closeText}</p>
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {w.terminal.keep}
        </Button>
        <Button
          tone="danger"
          disabled={!live}
          onClick={() => {
            onClose()
            void actions.closeTerminal(terminal)
          }}
        >
          {w.terminal.closeYes}
        </Button>
      </div>
    </Dialog>
  )
}

function RenameTerminal({ terminal, onClose }: { terminal: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const old = useEngine((s) => s.terminals.get(terminal)?.name ?? '')
  const [name, setName] = useState(old)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    if (name.trim() !== '' && name.trim() !== old) void actions.renameTerminal(terminal, name.trim())
  }
  return (
    <Dialog title={w.terminal.rename} size={420} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={w.say.name}
          value={name}
          maxLength={200}
          data-autofocus
          onFocus={(e) => e.currentTarget.select()}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {w.say.cancel}
          </Button>
          <Button type="submit" tone="primary" disabled={!live}>
            {w.say.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
