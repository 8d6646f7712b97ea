import type { TerminalChunk } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { PaneRef } from '../../sessions/binding/terminal.ts'
import { watchers } from '../host/watchers.ts'
import { changeOf, drawing, readFrame, OVERLAP, type FrameReading, type PaneFrame } from './pane-frame.ts'
import type { RunTmux } from './run-tmux.ts'

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
