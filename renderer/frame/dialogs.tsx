import { useApp, useUi, useWords } from '../app-context.ts'
import { ApproveCheck } from '../session/checks/approve-check.tsx'
import { AddProvider } from '../providers/add-provider.tsx'
import { DeleteSession } from '../sessions/delete-session.tsx'
import { CloseTerminal } from '../terminals/close-terminal.tsx'
import { NewTerminal } from '../terminals/new-terminal.tsx'
import { RenameTerminal } from '../terminals/rename-terminal.tsx'
import { Palette } from './palette.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Key } from '../parts/key.tsx'

export function Dialogs() {
  const { ui } = useApp()
  const dialog = useUi((s) => s.dialog)
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
      return <NewTerminal onClose={close} />
    case 'shortcuts':
      return <ShortcutSheet onClose={close} />
    case 'close-terminal':
      return <CloseTerminal terminal={dialog.terminal} onClose={close} />
    case 'rename-terminal':
      return <RenameTerminal terminal={dialog.terminal} onClose={close} />
  }
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
    [`${w.session.tabs.timeline} … ${w.session.tabs.rounds}`, ['1', '…', '6']],
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
