import { emitter } from '../../engine/base/disposable.ts'
import type { HostedPty } from '../../engine/terminals/host/hosted-pty.ts'
import { answerLost, forConversation, type TerminalReading, type TypeOrder } from '../../engine/terminals/types.ts'
import { newBridge, send, standing, type Bridge, type Outgoing, type Standing, type Step } from './bridge.ts'

/** The agent's process, as far as its terminal has to know it. */
export interface AcpAgent {
  terminalId: string
  pid: number
  kill(): void
  write(out: readonly Outgoing[]): void
  onFault(error: unknown): void
}

/** An ACP connection as a terminal without a screen: texts go in as prompts, and the protocol shows who is at work. */
export interface AcpTerminal extends HostedPty {
  /** a line of one side came */
  take(step: (bridge: Bridge, line: Buffer) => Step, line: Buffer): void
  /** the agent's process ended; `asked`: it was to end */
  end(ended: NonNullable<HostedPty['ended']>, asked: HostedPty['asked']): void
}

/** Of the conversation, not of a screen: a viewer's is made as large. */
const SIZE = { cols: 100, rows: 30 }
// oxlint-disable-next-line no-control-regex -- control characters are the subject here
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const CLEAR = '\u001bc'

export function createAcpTerminal(agent: AcpAgent): AcpTerminal {
  let bridge: Bridge = newBridge
  let ended: HostedPty['ended'] = null
  let asked: HostedPty['asked'] = null
  const begun = new Set<string>()
  const changes = emitter<void>(agent.onFault)
  const shown = emitter<string>(agent.onFault)
  const exits = emitter<void>(agent.onFault)
  const never = emitter<never>(agent.onFault)

  const go = ({ bridge: next, out }: Step) => {
    const [before, after] = [bridge, next].map(standing)
    const [was, is] = [bridge, next].map(shownIn)
    bridge = next
    agent.write(out)
    if (was !== is) shown.emit(is?.startsWith(was ?? '') ? is.slice(was?.length) : `${CLEAR}${is}`)
    if (before?.kind !== after?.kind) changes.emit()
  }
  const read = (): TerminalReading => (ended ? { kind: 'gone', reason: { code: 'agent-gone' } } : readingOf(bridge))
  const type = (order: TypeOrder): ReturnType<HostedPty['type']> => {
    if (begun.has(order.entryId)) return Promise.resolve(answerLost({ code: 'screen-unread' }))
    const reading = forConversation(read(), order)
    if (reading.kind === 'hold') return Promise.resolve({ kind: 'held', reason: reading.reason })
    const step = reading.kind === 'ready' ? send(bridge, order.text, order.entryId) : null
    if (!step) return Promise.resolve({ kind: 'failed', reason: { code: 'agent-gone' } })
    begun.add(order.entryId)
    go(step)
    return Promise.resolve({ kind: 'submitted', extraEnter: false })
  }

  return {
    terminalId: agent.terminalId,
    pid: agent.pid,
    ...SIZE,
    get ended() {
      return ended
    },
    get asked() {
      return asked
    },
    take: (step, line) => go(step(bridge, line)),
    end(how, wanted) {
      ended = how
      asked = wanted
      exits.emit()
      changes.emit()
    },
    read: async () => read(),
    type: (order, { stop }) =>
      stop.aborted ? Promise.resolve({ kind: 'held', reason: { code: 'paused', by: 'session' } }) : type(order),
    // Nothing stands in a composer here: a prompt was sent as a whole, or not at all.
    pressOwedEnter: async ({ entryId }) =>
      begun.has(entryId) ? { kind: 'submitted', extraEnter: false } : { kind: 'removed' },
    takeOut: async () => ({ kind: 'unknown' }),
    onChange: changes.on,
    onExit: exits.on,
    onData: shown.on,
    onResize: never.on,
    onPaste: never.on,
    report: async () => `ACP: ${standing(bridge).kind}\n`,
    snapshot: () => shownIn(bridge),
    kill: agent.kill,
    write: () => undefined,
    resize: () => undefined,
    suggested: () => undefined,
    engineIs: () => undefined,
    dispose: () => undefined,
  }
}

function readingOf(bridge: Bridge): TerminalReading {
  const now = standing(bridge)
  if (now.kind === 'idle')
    return {
      kind: 'ready',
      bracketedPaste: true,
      ...(now.said === '' && { fresh: true }),
      // Which of several conversations it is has to be seen; one alone can be no other.
      ...(!now.alone && { conversation: now.sessionId, above: now.said.split('\n') }),
      ...(now.answered && { answered: true }),
    }
  if (now.kind !== 'asks') return { kind: 'hold', reason: holds[now.kind] }
  return { kind: 'hold', reason: { code: 'dialog-open', what: 'permission' }, asked: now.asked }
}

const holds = {
  unknown: { code: 'screen-unknown' },
  starting: { code: 'screen-unread' },
  busy: { code: 'agent-busy' },
  stopped: { code: 'stopped' },
} as const satisfies Record<Exclude<Standing['kind'], 'idle' | 'asks'>, unknown>

/** The conversation in front, as a viewer of the terminal sees it. */
function shownIn({ conversations, front }: Bridge): string {
  const said = front === null ? '' : (conversations.get(front)?.said ?? '')
  return said.replace(controls, '').replaceAll('\n', '\r\n')
}
