import { z } from 'zod'
import type { PaneRef } from '../../sessions/binding/terminal.ts'
import { whyNotOurs } from './pane-port.ts'
import type { RunTmux } from './run-tmux.ts'

/** A pane's screen at one moment, and some of the lines that have scrolled out of it. */
export interface PaneFrame {
  cols: number
  rows: number
  cursor: { x: number; y: number }
  cursorVisible: boolean
  /** lines that have scrolled out and are kept by tmux */
  history: number
  /** the last of those, oldest first, with colour sequences */
  above: readonly string[]
  lines: readonly string[]
}

export type FrameReading = { kind: 'there'; frame: PaneFrame } | { kind: 'gone' } | { kind: 'unknown'; why: string }

const format =
  '#{pane_id} #{pane_pid} #{pane_dead} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} ' +
  '#{history_size}'
const number = z.coerce.number().int()
const numbers = z.tuple([number, number, number, number, number, number, number, number])

/** Reads only: a person who works in the pane can't notice. `above`: how many scrolled-out lines come with it. */
export async function readFrame(run: RunTmux, pane: PaneRef, above: number): Promise<FrameReading> {
  const { socket, paneId } = pane
  // -N: blanks at a line's end have colours too
  const capture = ['capture-pane', '-p', '-e', '-N', '-S', `-${above}`, '-t', paneId]
  const answer = await run(socket, ['display-message', '-p', '-t', paneId, format, ';', ...capture])
  if (!answer.ok) return answer.gone ? { kind: 'gone' } : { kind: 'unknown', why: answer.why }
  const [head = '', ...text] = answer.out.replace(/\n$/, '').split('\n')
  const [id, ...facts] = head.split(' ')
  const parsed = numbers.safeParse(facts)
  // For a pane that is not there tmux prints empty fields, or those of another pane: the id decides.
  if (id !== paneId || !parsed.success) return { kind: 'gone' }
  const [panePid, dead, cols, rows, x, y, cursor, history] = parsed.data
  if (whyNotOurs({ panePid, dead: dead === 1 }, pane) !== null) return { kind: 'gone' }
  const top = Math.max(0, text.length - rows)
  return {
    kind: 'there',
    frame: {
      cols,
      rows,
      cursor: { x, y },
      cursorVisible: cursor !== 0,
      history,
      above: text.slice(0, top),
      lines: text.slice(top),
    },
  }
}

/** so many lines that had scrolled out before are read again, to see that none is missing between two readings */
export const OVERLAP = 3

/**
 * Returns the bytes that turn a screen with `before` into `after`; null: none. `redraw`: the two don't meet, because
 * the size is another one, or the scrolled-out lines were cleared.
 */
export function changeOf(before: PaneFrame, after: PaneFrame): string | 'redraw' | null {
  if (before.cols !== after.cols || before.rows !== after.rows) return 'redraw'
  const grown = after.history - before.history
  const atHome = after.above.length - grown
  if (grown < 0 || atHome < Math.min(OVERLAP, before.history)) return 'redraw'
  const same = (line: string | undefined, other: string | undefined) => bare(line ?? '') === bare(other ?? '')
  for (let i = 1; i <= Math.min(OVERLAP, before.history, before.above.length); i++)
    if (!same(after.above[atHome - i], before.above.at(-i))) return 'redraw'
  const text = paint([...after.above.slice(atHome), ...after.lines], after)
  return grown === 0 && text === paint(before.lines, before) ? null : text
}

/** For a screen with nothing on it: as much as there is. */
export const drawing = (frame: PaneFrame): string => paint([...frame.above, ...frame.lines], frame)

/**
 * Lines from the top of the screen; those there is no room for scroll out of it. tmux lets colours go on from line to
 * line, so they are put aside while a line is emptied.
 */
function paint(lines: readonly string[], { cursor, cursorVisible }: PaneFrame): string {
  const emptied = '\u001b7\u001b[m\u001b[K\u001b8'
  const text = lines.map((line) => emptied + line).join('\r\n')
  // G1 is where tmux finds the characters that boxes are drawn with
  const end = `\u001b[m\u000f\u001b[${cursor.y + 1};${cursor.x + 1}H\u001b[?25${cursorVisible ? 'h' : 'l'}`
  return `\u001b)0\u001b[m\u001b[H${text}${end}`
}

// oxlint-disable-next-line no-control-regex
const bare = (line: string): string => line.replace(/\u001b\[[\d;:]*m|[\u000e\u000f]/g, '').trimEnd()
