import { linesOf, textOf, type ScreenView } from '../screen/view.ts'
import { holdsCursor, readComposer } from './composer.ts'
import { clueOf } from './screen-clue.ts'
import type { Suggestion } from './suggestion.ts'
import type { AgentFacts, BusySign, Composer, ComposerPlace, ScreenFacts, ScreenState } from './types.ts'

type SignalState = Extract<ScreenState, { kind: 'busy' | 'dialog' }>

const unseen: Composer = { kind: 'unseen' }
/** Lists of steps and of waiting messages stand between the sign and the composer. */
const rowsAbove = 20

/**
 * Reads a client's screen. Idle must be positive: signs of work or of a dialog win over a composer that is there, and
 * without a composer it is not idle.
 */
export function recognise(
  view: ScreenView,
  agent: Pick<AgentFacts, 'screen'>,
  suggestion: Suggestion | null = null,
): ScreenState {
  const facts = agent.screen
  const place = facts ? placeOf(view, facts) : null
  const composer = facts && place ? readComposer(view, place, facts, suggestion) : unseen
  const signal = reportedState(view, composer) ?? (facts ? titleState(view, facts, composer, place) : null)
  if (!facts) return signal ?? (view.programStatus ? { kind: 'idle', composer } : { kind: 'unknown' })
  const shown = shownState(view, facts, place, composer)
  return signal ? { ...signal, ...(shown.kind === 'idle' && { signal: true }) } : shown
}

/** Returns the state by the screen alone. */
function shownState(
  view: ScreenView,
  facts: ScreenFacts,
  place: ComposerPlace | null,
  composer: Composer,
): ScreenState {
  const dialog = place ? undefined : facts.dialogs.find((one) => linesOf(view).some((line) => one.line.test(line)))
  if (dialog) return { kind: 'dialog', what: dialog.what, composer }
  if (facts.busy.some((sign) => shows(view, place, sign))) return { kind: 'busy', composer }
  const other = place ? null : facts.otherInput?.(view)
  const inOther = other && readComposer(view, other, facts, null)
  if (inOther?.kind === 'text' || inOther?.kind === 'paste') return { kind: 'elsewhere', composer: inOther }
  return place ? { kind: 'idle', composer } : { kind: 'unknown', ...clueOf(view, facts.findComposer(view) !== null) }
}

/** Without a composer the sign may stand anywhere. */
function shows({ rows }: ScreenView, place: ComposerPlace | null, { line, where, dim }: BusySign): boolean {
  const there = !place
    ? rows
    : where === 'above'
      ? rows.slice(Math.max(0, place.top - rowsAbove), place.top)
      : rows.slice(place.bottom + 1)
  return there.some((row) => line.test(dim ? textOf(row.filter((cell) => cell.dim)) : textOf(row, place?.from)))
}

const linesAround = (lines: readonly string[], place: ComposerPlace): readonly string[] => [
  ...lines.slice(Math.max(0, place.top - rowsAbove), place.top),
  ...lines.slice(place.bottom + 1),
]

/**
 * Returns the words by which a screen shows work in the background; null: it shows positively that there is none.
 * Undefined: unknown.
 */
export function backgroundOn(
  view: ScreenView,
  { screen: facts }: Pick<AgentFacts, 'screen'>,
  state: ScreenState,
): string | null | undefined {
  const place = facts?.background && placeOf(view, facts)
  if (!facts?.background || !place) return undefined
  const lines = linesOf(view)
  for (const line of linesAround(lines, place))
    for (const sign of facts.background) {
      const [shown] = sign.exec(line) ?? []
      if (shown !== undefined) return shown
    }
  // A footer that is cut off may have had more words.
  const whole = !lines.slice(place.bottom + 1).some((line) => line.trimEnd().endsWith('…'))
  return state.kind === 'idle' && whole ? null : undefined
}

function placeOf(view: ScreenView, facts: ScreenFacts): ComposerPlace | null {
  const place = facts.findComposer(view)
  return place && holdsCursor(view, place) ? place : null
}

/** Returns the state that the program itself reports by OSC 7501. */
function reportedState(view: ScreenView, composer: Composer): SignalState | null {
  const status = view.programStatus
  if (status?.state === 'blocked') return { kind: 'dialog', what: status.kind ?? 'blocked', composer }
  return status?.state === 'working' ? { kind: 'busy', composer } : null
}

function titleState(
  view: ScreenView,
  { title }: ScreenFacts,
  composer: Composer,
  place: ComposerPlace | null,
): SignalState | null {
  if (title.dialog?.test(view.title)) return { kind: 'dialog', what: 'permission', composer }
  if (!title.busy?.test(view.title)) return null
  const last = place && linesOf(view).findLast((line, y) => y < place.top - 1 && line.trim() !== '')
  return last && title.besides?.test(last) ? null : { kind: 'busy', composer }
}
