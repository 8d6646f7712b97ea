import type { FailReason, HoldReason } from '../../../../../shared/events.ts'
import type { Composer } from '../../agents/types.ts'
import type { Assessment, TypingPort } from '../port.ts'

/** An agent's terminal as plain state, with every key that reached it. */
export interface SimulatedAgent {
  port: TypingPort
  /** 'text' and '⏎', in order */
  readonly keys: string[]
  state: { hold: HoldReason | null; gone: FailReason | null; composer: Composer; statusSerial: number; fresh?: boolean }
  /** how it answers Enter */
  onEnter: () => void
  /** how it answers a text */
  onText: (text: string) => void
  /** called before each look: lets a test change things at a moment */
  onLook: (looks: number) => void
  /** how it answers a blank */
  onSpace: () => void
  /** how it answers Ctrl U and Backspace */
  onErase: () => void
  /** a person types: the line is never as the last look found it */
  moved: boolean
  hearsRequests: boolean
}

export function simulatedAgent(): SimulatedAgent {
  let looks = 0
  const agent: SimulatedAgent = {
    keys: [],
    state: { hold: null, gone: null, composer: { kind: 'empty' }, statusSerial: 0 },
    onText: (text) => {
      agent.state.composer = { kind: 'text', text }
    },
    onEnter: () => {
      agent.state.composer = { kind: 'empty' }
      agent.state.hold = { code: 'agent-busy' }
    },
    onSpace: () => {
      const { composer } = agent.state
      agent.state.composer = { kind: 'text', text: composer.kind === 'text' ? `${composer.text} ` : ' ' }
    },
    onErase: () => {
      const { composer } = agent.state
      const rest = composer.kind === 'text' ? composer.text.split('\n').slice(0, -1).join('\n') : ''
      agent.state.composer = rest === '' ? { kind: 'empty' } : { kind: 'text', text: rest }
    },
    onLook: () => {},
    moved: false,
    hearsRequests: true,
    port: {
      async assess() {
        agent.onLook(++looks)
        return lookAt(agent.state)
      },
      async writeText(text) {
        if (agent.moved) return 'moved'
        agent.keys.push(text)
        agent.onText(text)
        return 'written'
      },
      async pressEnter() {
        if (agent.moved) return 'moved'
        agent.keys.push('⏎')
        agent.onEnter()
        return 'written'
      },
      async pressSpace() {
        if (agent.moved) return 'moved'
        agent.keys.push('␣')
        agent.onSpace()
        return 'written'
      },
      async eraseLine() {
        if (agent.moved) return 'moved'
        agent.keys.push('⌫')
        agent.onErase()
        return 'written'
      },
      hearsRequests: () => agent.hearsRequests,
    },
  }
  return agent
}

function lookAt(state: SimulatedAgent['state']): Assessment {
  return { ...readingOf(state), moment: '' }
}

function readingOf({ hold, gone, composer, statusSerial, fresh }: SimulatedAgent['state']): Omit<Assessment, 'moment'> {
  if (gone) return { reading: { kind: 'gone', reason: gone }, composer, statusSerial }
  if (hold) return { reading: { kind: 'hold', reason: hold }, composer, statusSerial }
  if (composer.kind === 'text')
    return { reading: { kind: 'composer-holds', text: composer.text, fresh }, composer, statusSerial }
  if (composer.kind === 'paste') return { reading: { kind: 'composer-holds', text: null }, composer, statusSerial }
  return { reading: { kind: 'ready', bracketedPaste: true, fresh }, composer, statusSerial }
}
