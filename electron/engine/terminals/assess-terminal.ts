import type { FailReason, HoldReason } from '../../../shared/events.ts'
import { askedOn } from './agents/asked.ts'
import { conversationOn, isFresh, isStopped } from './agents/fresh.ts'
import { backgroundOn, recognise } from './agents/recognise.ts'
import type { Suggestion } from './agents/suggestion.ts'
import type { AgentFacts, Composer, ScreenState } from './agents/types.ts'
import type { Foreground } from './process/foreground.ts'
import type { ScreenView } from './screen/view.ts'
import type { FreeReading } from './types.ts'
import type { Assessment } from './typing/port.ts'

/** Everything one reading of a terminal gathered. */
export interface Seen {
  gone: FailReason | null
  foreground: Foreground
  /** of the place, not of the program: copy mode, or the person's own keystrokes */
  hold: HoldReason | null
  agent: AgentFacts
  view: ScreenView
  /** text that the client may show as ghost text without marking it as such */
  suggestion?: Suggestion
}

/** Decides what may be done with a terminal. Any doubt is a reason to hold. */
export function assessTerminal({ gone, foreground, hold, agent, view, suggestion }: Seen): Omit<Assessment, 'moment'> {
  const state = recognise(view, agent, suggestion)
  const composer = state.kind === 'unknown' ? { kind: 'unseen' as const } : state.composer
  const statusSerial = view.statusSerial
  if (gone) return { reading: { kind: 'gone', reason: gone }, composer, statusSerial }
  const shown = foregroundHold(foreground) === null && state.kind === 'dialog' ? askedOn(view, agent.screen) : null
  const work = foregroundHold(foreground) === null ? backgroundOn(view, agent, state) : undefined
  const background = work === undefined ? {} : { background: work }
  const shows = {
    ...(isFresh(view, agent) && { fresh: true }),
    ...(isStopped(view, agent) && { stopped: true }),
    ...background,
  }
  const free = freeReading(composer, shows, view, agent)
  const above = conversationOn(view, agent)?.rows
  const elsewhere = foregroundHold(foreground)
  const held = elsewhere ?? stateHold(state) ?? hold
  if (!held) return { reading: free, composer, statusSerial, above }
  const screenAlone = !elsewhere && !hold && 'signal' in state ? { screenAlone: free } : {}
  return {
    reading: { kind: 'hold', reason: held, ...(shown && { asked: shown }), ...background, ...screenAlone },
    composer,
    statusSerial,
    ...('screenAlone' in screenAlone && { above }),
  }
}

/** Returns what an idle agent allows, by the content of its composer. */
function freeReading(
  composer: Composer,
  besides: Pick<FreeReading, 'fresh' | 'stopped' | 'background'>,
  view: ScreenView,
  agent: AgentFacts,
): FreeReading {
  switch (composer.kind) {
    case 'text':
      return {
        kind: 'composer-holds',
        text: composer.text,
        ...(composer.room && { room: composer.room }),
        ...besides,
      }
    case 'paste':
      return { kind: 'composer-holds', text: null, ...besides }
    case 'empty':
    case 'unseen':
      return { kind: 'ready', bracketedPaste: view.bracketedPaste ?? agent.bracketedPaste, ...besides }
  }
}

function foregroundHold(foreground: Foreground): HoldReason | null {
  switch (foreground.kind) {
    case 'agent':
      return null
    case 'shell':
    case 'other':
      return { code: 'shell-in-front', program: foreground.program }
    case 'unknown':
      return { code: 'foreground-unknown' }
  }
}

function stateHold(state: ScreenState): HoldReason | null {
  switch (state.kind) {
    case 'idle':
      return null
    case 'busy':
      return { code: 'agent-busy' }
    case 'dialog':
      return { code: 'dialog-open', what: state.what }
    case 'elsewhere':
      return { code: 'other-conversation' }
    case 'unknown':
      return {
        code: 'screen-unknown',
        ...(state.seen && { seen: state.seen }),
        ...(state.sign !== undefined && { sign: state.sign }),
      }
  }
}
