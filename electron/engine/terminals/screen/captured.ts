import { viewOf } from './read-cells.ts'
import type { ScreenView } from './view.ts'

/** A screen as `tmux capture-pane -p -e` and the pane's formats give it. */
export interface Captured {
  /** lines with colour sequences, divided by LF */
  text: string
  cols: number
  rows: number
  cursor: { x: number; y: number }
  cursorVisible: boolean
  title: string
  bracketedPaste: boolean | null
}

/** A captured screen read by the same parser as an own PTY's, so that one recogniser serves both. */
export async function viewOfCaptured(captured: Captured): Promise<ScreenView> {
  // A quarter of a megabyte, which an engine that reads no pane never needs.
  const { Terminal } = await import('./xterm.ts')
  const terminal = new Terminal({
    cols: captured.cols,
    rows: captured.rows,
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const text = captured.text.replace(/\n$/, '').replaceAll('\n', '\r\n')
  const { x, y } = captured.cursor
  await new Promise<void>((resolve) => terminal.write(`${text}\u001b[${y + 1};${x + 1}H`, resolve))
  const seen = viewOf(terminal)
  terminal.dispose()
  return {
    ...seen,
    cursorVisible: captured.cursorVisible,
    title: captured.title,
    programStatus: null,
    statusSerial: 0,
    bracketedPaste: captured.bracketedPaste,
  }
}
