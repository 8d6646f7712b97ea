import { useApp, useUi } from '../app-context.ts'
import { ApproveCheck } from '../session/checks/approve-check.tsx'
import { AddProvider } from '../providers/add-provider.tsx'
import { DeleteSession } from '../sessions/delete-session.tsx'
import { CloseTerminal } from '../terminals/close-terminal.tsx'
import { NewTerminal } from '../terminals/new-terminal.tsx'
import { RenameTerminal } from '../terminals/rename-terminal.tsx'
import { Palette } from './palette.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

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
