import { linesOf, type ScreenView } from '../screen/view.ts'
import { holdsCursor, readComposer } from './composer.ts'
import { clueOf } from './screen-clue.ts'
import type { Suggestion } from './suggestion.ts'
import type { AgentFacts, Composer, ComposerPlace, ScreenFacts, ScreenState } from './types.ts'

const unseen: Composer = { kind: 'unseen' }
/** Status lines stand right above the composer; further up is the conversation, which may quote anything. */
const rowsAbove = 8

/**
 * Reads a client's screen. Idle must be positive: signals of work or of a dialog win over a composer that is there, and
 * no composer is no idle.
 */
export function recognise(
  view: ScreenView,
  agent: Pick<AgentFacts, 'screen'>,
  suggestion: Suggestion | null = null,
): ScreenState {
  const facts = agent.screen
  const place = facts ? placeOf(view, facts) : null
  const composer = facts && place ? readComposer(view, place, facts, suggestion) : unseen
  const reported = reportedState(view, composer) ?? (facts ? titleState(view, facts, composer) : null)
  if (reported) return reported
  if (!facts) return view.programStatus ? { kind: 'idle', composer } : { kind: 'unknown' }

  const lines = linesOf(view)
  const around = place
    ? [...lines.slice(Math.max(0, place.top - rowsAbove), place.top), ...lines.slice(place.bottom + 1)]
    : lines
  const below = place ? lines.slice(place.bottom + 1) : lines
  const dialog = facts.dialogs.find((one) => below.some((line) => one.line.test(line)))
  if (dialog) return { kind: 'dialog', what: dialog.what, composer }
  if (facts.busy.some((busy) => around.some((line) => busy.test(line)))) return { kind: 'busy', composer }
  return place ? { kind: 'idle', composer } : { kind: 'unknown', ...clueOf(view, facts.findComposer(view) !== null) }
}

function placeOf(view: ScreenView, facts: ScreenFacts): ComposerPlace | null {
  const place = facts.findComposer(view)
  return place && holdsCursor(view, place) ? place : null
}

/** What the program reports of itself by OSC 7501. */
function reportedState(view: ScreenView, composer: Composer): ScreenState | null {
  const status = view.programStatus
  if (status?.state === 'blocked') return { kind: 'dialog', what: status.kind ?? 'blocked', composer }
  return status?.state === 'working' ? { kind: 'busy', composer } : null
}

function titleState(view: ScreenView, facts: ScreenFacts, composer: Composer): ScreenState | null {
  if (facts.title.dialog?.test(view.title)) return { kind: 'dialog', what: 'permission', composer }
  return facts.title.busy?.test(view.title) ? { kind: 'busy', composer } : null
}
