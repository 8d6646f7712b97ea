import type { FailReason, HoldReason } from '../../../../shared/events.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { agents } from '../agents/index.ts'
import { recognise } from '../agents/recognise.ts'
import type { Suggestion } from '../agents/suggestion.ts'
import type { Composer } from '../agents/types.ts'
import { assessTerminal } from '../assess-terminal.ts'
import { expectedAgent, foregroundFinder, type Foreground } from '../process/foreground.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import type { Screen } from '../screen/screen.ts'
import type { Keystrokes } from '../typing/keystrokes.ts'
import type { Assessment, TypingPort, Written } from '../typing/port.ts'
import type { Pty } from './spawn-pty.ts'

export interface PtyPortDeps {
  client: ClientKind
  argv: readonly string[]
  pty: Pick<Pty, 'pid'>
  /** null: the program that Onward started itself is assumed in front */
  reader: ProcReader | null
  screen: Screen
  keystrokes: Keystrokes
  suggestion: Suggestion
  gone(): FailReason | null
  send(keys: string): void
  hearsRequests(): boolean
}

/** A PTY of this process as the typing algorithm sees it. */
export function ptyPort(deps: PtyPortDeps): TypingPort {
  const { client, pty, reader, screen, keystrokes, suggestion } = deps
  const agent = agents[client]
  let typedLast = ''
  const inFront = foregroundFinder(reader, expectedAgent(client, deps.argv, pty.pid))
  const foreground = (): Promise<Foreground> =>
    reader ? inFront(pty.pid) : Promise.resolve({ kind: 'agent', program: agent.client, pgid: pty.pid })
  /** Keys of ours. What a person typed since that reading is known here, so the line can't have moved unseen. */
  const press = ({ moment }: Assessment, keys: string): Written => {
    if (moment !== String(keystrokes.keys)) return 'moved'
    deps.send(keys)
    return 'written'
  }
  return {
    async assess() {
      const front = await foreground()
      await screen.settled()
      const moment = String(keystrokes.keys)
      const view = screen.view()
      const state = recognise(view, agent, suggestion)
      const composer: Composer = state.kind === 'unknown' ? { kind: 'unseen' } : state.composer
      const sent = keystrokes.sent && composer.kind === 'empty' ? ({ sent: true } as const) : {}
      const hold: HoldReason | null = keystrokes.midLine(composer, typedLast) ? { code: 'typing', ...sent } : null
      return { ...assessTerminal({ gone: deps.gone(), foreground: front, hold, agent, view, suggestion }), moment }
    },
    async writeText(text, how) {
      typedLast = text
      return press(how.seen, how.bracketed ? bracketed(text) : text)
    },
    pressEnter: async (seen) => press(seen, '\r'),
    pressSpace: async (seen) => press(seen, ' '),
    eraseLine: async (seen) => press(seen, '\u0015\u007f'),
    hearsRequests: () => deps.hearsRequests(),
  }
}

/** A bracketed paste as terminals send it: line ends are CR there (xterm's and tmux's paste do the same). */
const bracketed = (text: string): string => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`
