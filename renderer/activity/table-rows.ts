/**
 * The rows of the table: turns under way, turns that ended, and right below each its attempts that came to nothing.
 * Pure.
 */
import type { RouteAttempt } from '../../shared/routing.ts'
import type { SessionView, TurnRecord } from '../../shared/state.ts'
import type { FinishKind } from '../../shared/events.ts'
import type { OfMachine } from '../state/place.ts'

export interface TurnFilter {
  text: string
  provider: string | null
  end: FinishKind | null
}
export const everyTurn: TurnFilter = { text: '', provider: null, end: null }
export const filtered = ({ text, provider, end }: TurnFilter): boolean =>
  text.trim() !== '' || provider !== null || end !== null

/** The step after an attempt: the same again, another key, model or provider, or nothing any more. */
export type NextStep = 'again' | 'key' | 'model' | 'provider' | 'nothing'

/** In a table of all machines with the one it is of. */
export type ShownTurn = TurnRecord & OfMachine
export type ShownSession = SessionView & OfMachine

export type TableRow =
  | { kind: 'running'; key: string; session: ShownSession; since: number }
  | { kind: 'turn'; key: string; turn: ShownTurn }
  | { kind: 'attempt'; key: string; turn: ShownTurn; attempt: RouteAttempt; next: NextStep }

type Words = { nameOf: NameOf; finish(kind: FinishKind): string; running: string }
/** the name of the session it belongs to */
export type NameOf = (of: Pick<ShownTurn, 'sessionId' | 'machine'>) => string | null

export function tableRows(
  turns: readonly ShownTurn[],
  sessions: Iterable<ShownSession>,
  filter: TurnFilter,
  words: Words,
): TableRow[] {
  return [
    ...runningRows(sessions, filter, words),
    ...turns
      .filter((turn) => matchesTurn(turn, filter, words))
      .flatMap((turn): TableRow[] => [{ kind: 'turn', key: keyOf(turn), turn }, ...attemptRows(turn)]),
  ]
}

/** A session that works says so itself; where its turn goes is known when it ends. */
function runningRows(
  sessions: Iterable<ShownSession>,
  { text, provider, end }: TurnFilter,
  { running }: Words,
): TableRow[] {
  if (provider !== null || end !== null) return []
  return [...sessions]
    .flatMap((session): Extract<TableRow, { kind: 'running' }>[] =>
      session.say.code === 'working'
        ? [
            {
              kind: 'running',
              key: ['running', session.machine ?? [], session.id].flat().join(' '),
              session,
              since: session.say.since,
            },
          ]
        : [],
    )
    .filter(({ session }) => hasWords([session.name, session.machine, session.model, session.client, running], text))
    .toSorted((a, b) => b.since - a.since)
}

const keyOf = ({ requestId, machine }: ShownTurn): string => [machine ?? [], requestId].flat().join(' ')

/** Newest first, as the turns are. */
function attemptRows(turn: ShownTurn): TableRow[] {
  const tried = turn.tried ?? []
  return tried
    .map((attempt, i): TableRow => ({
      kind: 'attempt',
      key: `${keyOf(turn)} ${i}`,
      turn,
      attempt,
      next: nextStep(attempt, tried[i + 1] ?? turn.route),
    }))
    .toReversed()
}

export function nextStep(
  attempt: RouteAttempt,
  next: Pick<RouteAttempt, 'provider' | 'model' | 'keyAlias'> | null,
): NextStep {
  if (next === null) return 'nothing'
  if (next.provider !== attempt.provider) return 'provider'
  if (next.model !== attempt.model) return 'model'
  return next.keyAlias === attempt.keyAlias ? 'again' : 'key'
}

export function matchesTurn(
  turn: ShownTurn,
  { text, provider, end }: TurnFilter,
  { nameOf, finish }: Pick<Words, 'nameOf' | 'finish'>,
): boolean {
  if (provider !== null && !providersOf(turn).includes(provider)) return false
  if (end !== null && turn.finish !== end) return false
  return hasWords(
    [
      nameOf(turn),
      turn.machine,
      turn.model,
      turn.route?.category,
      turn.route?.model,
      ...providersOf(turn),
      finish(turn.finish),
      turn.client,
      turn.kind,
      turn.error?.message,
      ...(turn.servertools ?? []).map(({ tool }) => tool),
    ],
    text,
  )
}

/** Where it went, and where it was tried before. */
export function providersOf(turn: TurnRecord): readonly string[] {
  return [...(turn.route ? [turn.route.provider] : []), ...(turn.tried ?? []).map((attempt) => attempt.provider)]
}

function hasWords(texts: readonly (string | null | undefined)[], wanted: string): boolean {
  const text = texts.filter(Boolean).join('\n').toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
