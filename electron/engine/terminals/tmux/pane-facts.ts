import { z } from 'zod'
import type { RunTmux } from './run-tmux.ts'

/** A pane as tmux tells of it in one call. */
export interface PaneFacts {
  paneId: string
  panePid: number
  dead: boolean
  inMode: boolean
  cursor: { x: number; y: number }
  cursorVisible: boolean
  cols: number
  rows: number
  socket: string
  sessionId: string
  session: string
  tty: string
  cwd: string
  title: string
}

/** Names and titles may hold anything but a line break, so the free ones stand last, one per line. */
const format = ['#{pane_id} #{pane_pid} #{pane_dead} #{pane_in_mode} #{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width} #{pane_height} #{session_id} #{pane_tty}', '#{socket_path}', '#{session_name}', '#{pane_current_path}', '#{pane_title}'].join('\n')
const LINES = 5
const number = z.coerce.number().int()

export type PaneLook = { kind: 'there'; facts: PaneFacts } | { kind: 'gone'; why: string } | { kind: 'unknown'; why: string }

/** Asks for one pane by its exact id. `unknown`: tmux did not answer, which is no proof of anything. */
export async function lookAtPane(run: RunTmux, socket: string | null, paneId: string): Promise<PaneLook> {
  // `list-panes -t %N` would list the window; `display-message` takes the pane itself, and fails when it is not there.
  const answer = await run(socket, ['display-message', '-p', '-t', paneId, '-F', format])
  if (!answer.ok) return { kind: answer.gone ? 'gone' : 'unknown', why: answer.why }
  const facts = parse(answer.out.split('\n'))
  // tmux answers for another pane where a target can't be found in some versions: the id decides.
  if (!facts || facts.paneId !== paneId) return { kind: 'gone', why: `tmux has no pane ${paneId}` }
  return { kind: 'there', facts }
}

/** Every pane of a server. */
export async function listPanes(run: RunTmux, socket: string | null): Promise<readonly PaneFacts[]> {
  const answer = await run(socket, ['list-panes', '-a', '-F', format])
  if (!answer.ok) return []
  const lines = answer.out.split('\n')
  const panes: PaneFacts[] = []
  for (let i = 0; i + LINES <= lines.length; i += LINES) {
    const facts = parse(lines.slice(i, i + LINES))
    if (facts) panes.push(facts)
  }
  return panes
}

function parse(lines: readonly string[]): PaneFacts | null {
  const [numbers = '', socket = '', session = '', cwd = '', title = ''] = lines
  const [paneId = '', panePid, dead, inMode, x, y, cursorFlag, cols, rows, sessionId = '', tty = ''] = numbers.split(' ')
  const parsed = z.tuple([number, number, number, number, number]).safeParse([panePid, x, y, cols, rows])
  if (!/^%\d+$/.test(paneId) || !parsed.success) return null
  const [pid, cursorX, cursorY, width, height] = parsed.data
  return {
    paneId, panePid: pid, dead: dead === '1', inMode: inMode !== '0', cursor: { x: cursorX, y: cursorY }, cursorVisible: cursorFlag !== '0',
    cols: width, rows: height, socket, sessionId, session, tty, cwd, title,
  }
}
