import type { HoldReason } from '../../../../shared/events.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { PaneRef } from '../../sessions/binding/terminal.ts'
import { agents } from '../agents/index.ts'
import { reportScreen } from '../agents/report-screen.ts'
import { createSuggestion, type Suggestion } from '../agents/suggestion.ts'
import { assessTerminal } from '../assess-terminal.ts'
import { expectedAgent, foregroundFinder } from '../process/foreground.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import { viewOfCaptured } from '../screen/captured.ts'
import type { Assessment, TypingPort, Written } from '../typing/port.ts'
import { readPaneScreen, type PaneFacts, type PaneReading } from './pane-facts.ts'
import type { RunTmux } from './run-tmux.ts'

export interface PanePortDeps {
  pane: PaneRef
  client: ClientKind
  /** the command it was started with, for programs of no known client */
  command: readonly string[]
  run: RunTmux
  reader: ProcReader | null
  random: Random
  /** the pane turned out to be gone for good */
  onGone(why: string): void
}

export interface PanePort extends TypingPort {
  readonly suggestion: Suggestion
  /** what the pane shows, without its words (../screen/screen-report.ts) */
  report(): Promise<string>
  /** what the pane shows now, as text: comparing it shows whether something changed */
  picture(): Promise<string | null>
  /** the picture of the last reading; undefined before the first */
  readonly lastPicture: string | null | undefined
}

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
  /** @throws OnwardError `tmux-silent` when tmux does not answer, which is no proof of anything */
  const checked = (seen: PaneReading): { facts: PaneFacts } | { gone: string } => {
    if (seen.kind === 'unknown')
      throw new OnwardError('tmux-silent', `tmux did not answer: ${seen.why}`, { retryable: true })
    const why = seen.kind === 'gone' ? `the tmux pane ${paneId} is gone` : whyNotOurs(seen.facts, pane)
    if (seen.kind === 'there' && why === null) return { facts: seen.facts }
    deps.onGone(why ?? seen.kind)
    return { gone: why ?? seen.kind }
  }
  let lastPicture: string | null | undefined
  /**
   * Acts only while the pane's program and cursor are those of the reading and no mode is open. tmux decides that in
   * the same moment: between a reading and a key a person may have pasted a line, or begun to scroll.
   */
  const whileUnmoved = async ({ moment }: Assessment, act: string): Promise<Written> => {
    const say = (what: string) => `display-message -p ${what}`
    const said = await must([
      'if-shell',
      '-F',
      '-t',
      paneId,
      `#{==:${momentFormat},${moment}}`,
      `${act} ; ${say('written')}`,
      say('moved'),
    ])
    return said.trim() === 'written' ? 'written' : 'moved'
  }

  const suggestion = createSuggestion()
  const capture = async () => {
    const seen = await readPaneScreen(run, socket, paneId)
    const found = checked(seen)
    lastPicture = 'gone' in found ? null : pictureOf(found.facts, seen.text)
    return { found, text: seen.text }
  }

  return {
    async assess(): Promise<Assessment> {
      const { found, text } = await capture()
      if ('gone' in found)
        return {
          reading: { kind: 'gone', reason: { code: 'terminal-gone', why: found.gone } },
          composer: { kind: 'unseen' },
          statusSerial: 0,
          moment: '',
        }
      const { facts } = found
      const foreground = await inFront(facts.panePid)
      const view = await viewOfCaptured({ ...facts, text })
      const assessment = assessTerminal({ gone: null, foreground, hold: holdOf(facts), agent, view, suggestion })
      return { ...assessment, moment: momentOf(facts) }
    },
    suggestion,
    async writeText(text, { seen }) {
      // A buffer of its own name: the person's paste buffers stay as they are. From stdin: neither a leading `-` nor a
      // trailing `;` means anything there.
      const buffer = `onward-${deps.random.token(6)}`
      await must(['load-buffer', '-b', buffer, '-'], text)
      try {
        // -p: bracketed where the program asked for it; line ends become CR there as in any terminal's paste
        const written = await whileUnmoved(seen, `paste-buffer -p -d -b ${buffer} -t ${paneId}`)
        if (written === 'moved') await run(socket, ['delete-buffer', '-b', buffer])
        return written
      } catch (error) {
        await run(socket, ['delete-buffer', '-b', buffer])
        throw error
      }
    },
    pressEnter: (seen) => whileUnmoved(seen, `send-keys -t ${paneId} Enter`),
    pressSpace: (seen) => whileUnmoved(seen, `send-keys -t ${paneId} Space`),
    eraseLine: (seen) => whileUnmoved(seen, `send-keys -t ${paneId} C-u BSpace`),
    async report() {
      const { found, text } = await capture()
      if ('gone' in found)
        throw new OnwardError('terminal-gone', `Nothing is to be seen: ${found.gone}.`, { status: 409 })
      return reportScreen(await viewOfCaptured({ ...found.facts, text }), agent, 'tmux')
    },
    async picture() {
      await capture()
      return lastPicture ?? null
    },
    get lastPicture() {
      return lastPicture
    },
  }
}

const momentFormat = '#{pane_pid} #{cursor_x} #{cursor_y} #{pane_in_mode}'
const momentOf = ({ panePid, cursor }: PaneFacts): string => `${panePid} ${cursor.x} ${cursor.y} 0`

const pictureOf = ({ title, cursor, mode, inputs }: PaneFacts, text: string): string =>
  [title, cursor.x, cursor.y, mode, inputs, text].join('\n')

/** Returns the hold for what the person has made of the pane. */
function holdOf({ mode, inputs }: PaneFacts): HoldReason | null {
  if (mode !== null) return mode === 'copy-mode' ? { code: 'copy-mode' } : { code: 'tmux-mode', mode }
  if (inputs === 'many') return { code: 'dialog-open', what: 'synchronize-panes' }
  return inputs === 'off' ? { code: 'dialog-open', what: 'input switched off in tmux' } : null
}

/** A pane id is given out again by a restarted server: the process it was registered with tells them apart. */
export function whyNotOurs(facts: Pick<PaneFacts, 'dead' | 'panePid'>, pane: PaneRef): string | null {
  if (facts.dead) return `the program in the tmux pane ${pane.paneId} has ended`
  if (pane.panePid !== null && facts.panePid !== pane.panePid) return `the tmux pane ${pane.paneId} is another one now`
  return null
}
