import type { FailReason } from '../../../../shared/events.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { PaneRef } from '../../sessions/terminal.ts'
import { agents } from '../agents/index.ts'
import { lookOf } from '../look.ts'
import { expectedAgent, foregroundFinder } from '../process/foreground.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import { viewOfCaptured } from '../screen/captured.ts'
import type { Look, TypingPort } from '../typing/port.ts'
import { lookAtPane, type PaneFacts } from './pane-facts.ts'
import type { RunTmux } from './run-tmux.ts'

export interface PanePortDeps {
  pane: PaneRef
  client: ClientKind
  /** what was started, for programs of no known client */
  command: readonly string[]
  run: RunTmux
  reader: ProcReader | null
  random: Random
  /** the pane turned out to be gone for good */
  onGone(why: string): void
}

/** What a pane shows, as text: whether something changed is told by comparing it. */
export interface PanePort extends TypingPort { picture(): Promise<string | null> }

/** A pane as the typing algorithm sees it. Everything is addressed by exact pane id and server socket. */
export function panePort(deps: PanePortDeps): PanePort {
  const { pane, run } = deps
  const { socket, paneId } = pane
  const agent = agents[deps.client]
  const inFront = foregroundFinder(deps.reader, expectedAgent(deps.client, deps.command, null))

  const must = async (args: readonly string[], stdin?: string): Promise<string> => {
    const answer = await run(socket, args, stdin)
    if (!answer.ok) throw new OnwardError('tmux-failed', `tmux could not ${args[0] ?? 'answer'}: ${answer.why}`)
    return answer.out
  }
  const facts = async (): Promise<{ there: PaneFacts } | { gone: FailReason }> => {
    const look = await lookAtPane(run, socket, paneId)
    if (look.kind === 'unknown') throw new OnwardError('tmux-silent', `tmux did not answer: ${look.why}`, { retryable: true })
    const why = look.kind === 'gone' ? `the tmux pane ${paneId} is gone` : whyNotOurs(look.facts, pane)
    if (why === null && look.kind === 'there') return { there: look.facts }
    deps.onGone(why ?? 'the tmux pane is gone')
    return { gone: { code: 'terminal-gone', why: why ?? 'the tmux pane is gone' } }
  }
  const capture = () => must(['capture-pane', '-p', '-e', '-t', paneId])

  return {
    async look(): Promise<Look> {
      const found = await facts()
      if ('gone' in found) return { reading: { kind: 'gone', reason: found.gone }, composer: { kind: 'unseen' }, statusSerial: 0 }
      const { there } = found
      const [foreground, text] = await Promise.all([inFront(there.panePid), capture()])
      const view = await viewOfCaptured({ text, cols: there.cols, rows: there.rows, cursor: there.cursor, cursorVisible: there.cursorVisible, title: there.title, bracketedPaste: null })
      return lookOf({ gone: null, foreground, hold: null, agent, view })
    },
    async writeText(text) {
      const found = await facts()
      if ('gone' in found) throw new OnwardError('terminal-gone', 'the tmux pane is gone')
      // In copy mode keys go to tmux, not to the agent (spec 03: leave copy mode).
      if (found.there.inMode) await must(['send-keys', '-t', paneId, '-X', 'cancel'])
      // A buffer of its own name: the person's paste buffers stay as they are. From stdin: neither a leading `-` nor a
      // trailing `;` means anything there (client-facts, e).
      const buffer = `onward-${deps.random.token(6)}`
      await must(['load-buffer', '-b', buffer, '-'], text)
      await must(['paste-buffer', '-p', '-d', '-b', buffer, '-t', paneId])
    },
    async pressEnter() { await must(['send-keys', '-t', paneId, 'Enter']) },
    async picture() {
      const found = await facts()
      return 'gone' in found ? null : `${found.there.title}\n${found.there.cursor.x},${found.there.cursor.y}\n${await capture()}`
    },
  }
}

/** A pane id is given out again by a restarted server: the process it was registered with tells them apart. */
export function whyNotOurs(facts: PaneFacts, pane: PaneRef): string | null {
  if (facts.dead) return `the program in the tmux pane ${pane.paneId} has ended`
  if (pane.panePid !== null && facts.panePid !== pane.panePid) return `the tmux pane ${pane.paneId} is another one now`
  return null
}
