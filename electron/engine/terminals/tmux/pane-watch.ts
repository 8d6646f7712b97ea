import type { TerminalChunk } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { PaneRef } from '../../sessions/binding/terminal.ts'
import { watchers } from '../host/watchers.ts'
import type { RunTmux } from './run-tmux.ts'
import { z } from 'zod'
import { whyNotOurs } from './pane-port.ts'

/** Panes shown to viewers. A pane without a viewer is not read. */
export interface PaneWatch extends Disposable {
  watch(terminal: { terminalId: string; pane: PaneRef }, signal: AbortSignal): AsyncIterable<TerminalChunk>
}

export interface PaneWatchDeps {
  run: RunTmux
  clock: Clock
  log: Log
}

/** how soon a pane is read again: at once after a change, then ever later (milliseconds) */
const SOON_MS = 80
const LATE_MS = 500
/** tmux did not answer */
const SILENT_MS = 2_000
/** lines that a new viewer can scroll back */
const DEPTH = 2_000
/** lines that may scroll out between two readings of one step */
const SLACK = 100

interface Show extends Disposable {
  /** a viewer came that has seen nothing yet */
  greet(): void
}

/**
 * tmux reports changes only to clients that are attached, which people and their hooks would notice, and to a pane's
 * one pipe, which may be theirs. So the pane is read again and again while it has a viewer.
 */
export function createPaneWatch(deps: PaneWatchDeps): PaneWatch {
  const panes = new Map<string, PaneRef>()
  const shows = new Map<string, Show>()
  const screens = watchers((terminalId, on) => {
    const there = shows.get(terminalId)
    const pane = panes.get(terminalId)
    if (!on) {
      there?.dispose()
      shows.delete(terminalId)
      panes.delete(terminalId)
    } else if (there) there.greet()
    else if (pane)
      shows.set(
        terminalId,
        show(deps, pane, (chunk) => screens.push(terminalId, chunk)),
      )
  })
  return {
    watch({ terminalId, pane }, signal) {
      panes.set(terminalId, pane)
      return screens.follow(terminalId, signal)
    },
    dispose() {
      for (const one of shows.values()) one.dispose()
      shows.clear()
    },
  }
}

function show({ run, clock, log }: PaneWatchDeps, pane: PaneRef, push: (chunk: TerminalChunk) => void): Show {
  let shown: PaneFrame | null = null
  let newcomer = true
  let polling = false
  let over = false
  let wait = SOON_MS
  let timer: Disposable | null = null

  /** reads enough lines to overlap what is shown, or as many as a new viewer gets */
  const capture = async (deep: boolean): Promise<FrameReading> => {
    const seen = await readFrame(run, pane, deep || !shown ? DEPTH : OVERLAP)
    if (seen.kind !== 'there' || !shown || deep) return seen
    const grown = seen.frame.history - shown.history
    return grown > 0 && !over ? readFrame(run, pane, Math.min(DEPTH, grown + OVERLAP + SLACK)) : seen
  }
  const step = async (): Promise<void> => {
    const greeting = newcomer
    newcomer = false
    let seen = await capture(greeting)
    let change = seen.kind === 'there' && shown ? changeOf(shown, seen.frame) : null
    if (change === 'redraw' && !greeting) {
      seen = await capture(true)
      change = seen.kind === 'there' ? 'redraw' : null
    }
    if (over) return
    if (seen.kind === 'gone') {
      over = true
      return push({ type: 'exit', exitCode: null })
    }
    if (seen.kind === 'unknown') {
      newcomer ||= greeting
      wait = SILENT_MS
      return log.debug({ pane: pane.paneId, why: seen.why }, 'the pane could not be shown')
    }
    const { frame } = seen
    const { cols, rows } = frame
    // New viewers drop the change, which is in their screen already; the others drop the screen.
    if (change === 'redraw') {
      push({ type: 'resize', cols, rows })
      push({ type: 'data', data: `\u001bc${drawing(frame)}` })
    } else if (change !== null) push({ type: 'data', data: change })
    if (greeting) push({ type: 'screen', data: drawing(frame), cols, rows })
    wait = change === null && shown ? Math.min(LATE_MS, wait * 1.5) : SOON_MS
    shown = frame
  }
  const poll = () => {
    timer = null
    polling = true
    step()
      .catch((error: unknown) => log.warn({ pane: pane.paneId, error: messageOf(error) }, 'a pane was not shown'))
      .finally(() => {
        polling = false
        if (!over) timer = clock.after(newcomer && wait !== SILENT_MS ? 0 : wait, poll)
      })
  }
  poll()
  return {
    greet() {
      newcomer = true
      if (over) return push({ type: 'exit', exitCode: null })
      if (polling) return
      timer?.dispose()
      poll()
    },
    dispose() {
      over = true
      timer?.dispose()
    },
  }
}

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

type FrameReading = { kind: 'there'; frame: PaneFrame } | { kind: 'gone' } | { kind: 'unknown'; why: string }

const format =
  '#{pane_id} #{pane_pid} #{pane_dead} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} ' +
  '#{history_size}'
const number = z.coerce.number().int()
const numbers = z.tuple([number, number, number, number, number, number, number, number])

/** Reads only: a person who works in the pane can't notice. `above`: how many scrolled-out lines come with it. */
async function readFrame(run: RunTmux, pane: PaneRef, above: number): Promise<FrameReading> {
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
const OVERLAP = 3

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
const drawing = (frame: PaneFrame): string => paint([...frame.above, ...frame.lines], frame)

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
