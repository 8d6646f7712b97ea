import { z } from 'zod'
import type { RunTmux, TmuxAnswer } from './run-tmux.ts'

/** A pane as tmux describes it in one call. */
export interface PaneFacts {
  paneId: string
  panePid: number
  dead: boolean
  /** copy mode and the like, null while keys go to the program */
  mode: string | null
  /** several panes get the keys typed into one, or none takes input: a person's own arrangement */
  inputs: 'one' | 'many' | 'off'
  /** null before tmux 3.6, which can't show it */
  bracketedPaste: boolean | null
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

/**
 * Names and titles hold no line break; a folder's name may, and would pass for the lines of another pane: it is
 * replaced by a sign there.
 */
const lineBreak = '\u240a'
const format = [
  '#{pane_id} #{pane_pid} #{pane_dead} #{cursor_x} #{cursor_y} ' +
    '#{cursor_flag} #{pane_width} #{pane_height} #{session_id}',
  '#{pane_tty}',
  '#{?pane_in_mode,#{pane_mode},}',
  '#{pane_synchronized} #{pane_input_off} #{bracket_paste_flag}',
  '#{socket_path}',
  '#{session_name}',
  `#{s/\n/${lineBreak}/:pane_current_path}`,
  '#{pane_title}',
].join('\n')
const LINES = 8
const number = z.coerce.number().int()

export type PaneReading =
  | { kind: 'there'; facts: PaneFacts }
  | { kind: 'gone'; why: string }
  | { kind: 'unknown'; why: string }

/** Asks for one pane by its exact id. `unknown`: tmux did not answer, which is no proof of anything. */
export async function readPane(run: RunTmux, socket: string | null, paneId: string): Promise<PaneReading> {
  return paneReadingOf(paneId, await run(socket, ['display-message', '-p', '-t', paneId, format]))
}

/** The same with the pane's screen at that moment: its lines with colour sequences. */
export async function readPaneScreen(
  run: RunTmux,
  socket: string | null,
  paneId: string,
): Promise<PaneReading & { text: string }> {
  const answer = await run(socket, [
    'display-message',
    '-p',
    '-t',
    paneId,
    format,
    ';',
    'capture-pane',
    '-p',
    '-e',
    '-t',
    paneId,
  ])
  return { ...paneReadingOf(paneId, answer), text: answer.ok ? answer.out.split('\n').slice(LINES).join('\n') : '' }
}

function paneReadingOf(paneId: string, answer: TmuxAnswer): PaneReading {
  if (!answer.ok) return { kind: answer.gone ? 'gone' : 'unknown', why: answer.why }
  const facts = parse(answer.out.split('\n'))
  // For a pane that is not there tmux prints empty fields, or those of another pane: the id decides.
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
  const [numbers = '', tty = '', mode = '', inputs = '', socket = '', session = '', cwd = '', title = ''] = lines
  const [paneId = '', panePid, dead, x, y, cursorFlag, cols, rows, sessionId = ''] = numbers.split(' ')
  const parsed = z.tuple([number, number, number, number, number]).safeParse([panePid, x, y, cols, rows])
  if (!/^%\d+$/.test(paneId) || !parsed.success) return null
  const [pid, cursorX, cursorY, width, height] = parsed.data
  const [synchronized, off, bracket] = inputs.split(' ')
  return {
    paneId,
    panePid: pid,
    dead: dead === '1',
    mode: mode === '' ? null : mode,
    inputs: off === '1' ? 'off' : synchronized === '1' ? 'many' : 'one',
    bracketedPaste: bracket === '1' ? true : bracket === '0' ? false : null,
    cursor: { x: cursorX, y: cursorY },
    cursorVisible: cursorFlag !== '0',
    cols: width,
    rows: height,
    socket,
    sessionId,
    session,
    tty,
    cwd: cwd.replaceAll(lineBreak, '\n'),
    title,
  }
}
