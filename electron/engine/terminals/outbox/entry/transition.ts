import type { FailReason, HoldReason } from '../../../../../shared/events.ts'
import {
  submittedAtOf,
  typedAtOf,
  typingsOf,
  type CancelledBy,
  type OutboxEntry,
  type Phase,
  type PhaseOf,
  type SupersededBy,
  type Typed,
} from '../entry.ts'

/** Everything that can happen to an entry. Times are epoch milliseconds. */
export type EntryEvent =
  | { type: 'edit'; revision: number; text: string }
  | { type: 'send-now' }
  | { type: 'hold'; reason: HoldReason }
  /** `inbox`: it goes to the agent's own inbox */
  | { type: 'begin'; at: number; inbox?: boolean }
  /** back from typing, nothing of it went out */
  | { type: 'take-back'; reason: HoldReason }
  /**
   * back from typing, or found so: the text stands in the composer, or may (`shown` says). `at`: since when, if it was
   * not typed now
   */
  | { type: 'owe-enter'; reason: HoldReason; at?: number; shown?: boolean; entered?: boolean; broken?: boolean }
  /** the text left the composer before Enter: a person took it out, or Onward did, until it may be entered */
  | { type: 'remove'; at: number; by: 'person' | 'onward'; reason: HoldReason }
  /** the engine ended while it was typed */
  | { type: 'cut' }
  | { type: 'submit'; at: number; extraEnter: boolean; shown?: boolean }
  /** `withWords`: a person sent it together with words of their own */
  | { type: 'receipt'; at: number; withWords?: true; requestId?: string }
  /** whether it arrived is unknown */
  | { type: 'lose'; at: number }
  | { type: 'fail'; at: number; reason: FailReason }
  | { type: 'cancel'; at: number; by: CancelledBy }
  | { type: 'supersede'; at: number; by: SupersededBy }
  | { type: 'expire'; at: number }

export type Refusal = 'wrong-state' | 'stale-revision' | 'text-in-composer' | 'never-typed' | 'terminal-still-there'
export type Outcome = { ok: true; entry: OutboxEntry } | { ok: false; refusal: Refusal }

const refuse = (refusal: Refusal): Outcome => ({ ok: false, refusal })
const put = (entry: OutboxEntry, phase: Phase): Outcome => ({ ok: true, entry: { ...entry, phase } })

/** The state machine of an entry: every transition there is. Any other is refused. */
export function transition(entry: OutboxEntry, event: EntryEvent): Outcome {
  const { phase } = entry
  switch (event.type) {
    case 'edit':
      if (phase.state !== 'queued') return refuse('wrong-state')
      if (phase.owedSince !== null) return refuse('text-in-composer')
      if (event.revision !== entry.revision) return refuse('stale-revision')
      return { ok: true, entry: { ...entry, text: event.text, writtenBy: 'person', revision: entry.revision + 1 } }
    case 'send-now':
      return phase.state === 'queued' ? { ok: true, entry: { ...entry, skipSettle: true } } : refuse('wrong-state')
    case 'hold':
      return phase.state === 'queued' ? put(entry, { ...phase, hold: event.reason }) : refuse('wrong-state')
    case 'begin':
      if (phase.state !== 'queued') return refuse('wrong-state')
      return put(entry, {
        state: 'typing',
        typedAt: phase.owedSince ?? event.at,
        owed: phase.owedSince !== null,
        ...typedOf(phase),
        ...(phase.owedSince === null && { unseen: true, ...(event.inbox && { inbox: true }) }),
      })
    case 'take-back':
      if (phase.state !== 'typing') return refuse('wrong-state')
      // A text that stands in the composer is not typed a second time; from an inbox it was taken back.
      return phase.owed && !phase.inbox
        ? put(entry, queuedAgain(phase, event.reason, phase.typedAt))
        : put(entry, untyped(event.reason, typingsOf(phase)))
    case 'owe-enter':
      return oweEnter(entry, event)
    case 'remove':
      return remove(entry, event)
    case 'cut':
      if (phase.state !== 'typing') return refuse('wrong-state')
      return put(entry, { ...queuedAgain(phase, null, phase.typedAt), entered: true })
    case 'submit':
      return submit(entry, event)
    case 'receipt':
      return receipt(entry, event.at)
    case 'lose':
      if (phase.state !== 'typing' && phase.state !== 'submitted') return refuse('wrong-state')
      return put(entry, { state: 'unknown', typedAt: phase.typedAt, submittedAt: submittedAtOf(phase), at: event.at })
    case 'fail':
      return fail(entry, event.at, event.reason)
    case 'cancel':
      if (phase.state !== 'queued') return refuse('wrong-state')
      return put(entry, {
        state: 'cancelled',
        typedAt: phase.owedSince,
        at: event.at,
        by: event.by,
        ...standing(phase),
      })
    case 'supersede':
      if (phase.state !== 'queued') return refuse('wrong-state')
      return put(entry, {
        state: 'superseded',
        typedAt: phase.owedSince,
        at: event.at,
        by: event.by,
        ...standing(phase),
      })
    case 'expire':
      if (phase.state !== 'queued') return refuse('wrong-state')
      return put(entry, { state: 'expired', typedAt: phase.owedSince, at: event.at, ...standing(phase) })
  }
}

type Waiting = PhaseOf<'queued'>
/** takes the facts of its text along from queue to typing and back */
function typedOf(phase: Waiting | PhaseOf<'typing'>): Typed {
  const { typings, inbox, unseen, entered, broken } = phase
  return {
    ...(typings && { typings }),
    ...(inbox && { inbox }),
    ...(unseen && { unseen }),
    ...(entered && { entered }),
    ...(broken && { broken }),
  }
}
const standing = ({ owedSince, unseen, inbox }: Waiting) =>
  owedSince === null ? {} : ({ stands: true, ...(unseen && { unseen }), ...(inbox && { inbox }) } as const)
const queuedAgain = (phase: Waiting | PhaseOf<'typing'>, hold: HoldReason | null, owedSince: number): Waiting => ({
  state: 'queued',
  hold,
  owedSince,
  ...typedOf(phase),
})
const untyped = (hold: HoldReason | null, typings: number): Waiting => ({
  state: 'queued',
  hold,
  owedSince: null,
  ...(typings > 0 && { typings }),
})

function oweEnter(entry: OutboxEntry, event: Extract<EntryEvent, { type: 'owe-enter' }>): Outcome {
  const { phase } = entry
  // its turn came while it was typed, and it stands there once more
  if (phase.state === 'confirmed') return event.shown ? put(entry, { ...phase, stands: true }) : refuse('wrong-state')
  if (phase.state === 'queued' && phase.owedSince === null && event.at !== undefined)
    return put(entry, queuedAgain(phase, event.reason, event.at))
  if (phase.state !== 'typing') return refuse('wrong-state')
  const { unseen, ...known } = queuedAgain(phase, event.reason, phase.typedAt)
  return put(
    // “Send it” allowed one more Enter, and that one did nothing either
    event.reason.code === 'enter-ignored' ? { ...entry, skipSettle: false } : entry,
    {
      ...known,
      ...(unseen && !event.shown && { unseen }),
      ...(event.entered && { entered: true }),
      ...(event.broken && { broken: true }),
    },
  )
}

function submit(entry: OutboxEntry, { at, extraEnter, shown }: Extract<EntryEvent, { type: 'submit' }>): Outcome {
  const { phase } = entry
  // its turn came first
  if (phase.state === 'confirmed' && phase.unseen && shown) {
    const { stands: _, unseen: __, ...rest } = phase
    return put(entry, rest)
  }
  if (phase.state !== 'typing') return refuse('wrong-state')
  const unseen = phase.unseen && !shown
  return put(entry, {
    state: 'submitted',
    typedAt: phase.typedAt,
    submittedAt: at,
    extraEnter,
    ...(unseen && { unseen }),
  })
}

/** A text that left the composer without Enter was never sent: it may be typed once more. */
function remove(entry: OutboxEntry, { reason }: Extract<EntryEvent, { type: 'remove' }>): Outcome {
  const { phase } = entry
  switch (phase.state) {
    case 'queued':
      if (phase.owedSince === null) return refuse('wrong-state')
      return put(entry, untyped(reason, typingsOf(phase) + 1))
    case 'confirmed':
    case 'cancelled':
    case 'superseded':
    case 'expired': {
      if (!phase.stands) return refuse('wrong-state')
      const { stands: _, unseen: __, inbox: ___, ...rest } = phase
      return put(entry, rest)
    }
    default:
      return refuse('wrong-state')
  }
}

/** A receipt that comes late is still a receipt: it proves the submit, too. */
function receipt(entry: OutboxEntry, at: number): Outcome {
  const { phase } = entry
  switch (phase.state) {
    case 'submitted':
      return put(entry, {
        state: 'confirmed',
        typedAt: phase.typedAt,
        submittedAt: phase.submittedAt,
        confirmedAt: at,
        late: false,
        // a blank typed after it, to see whether it came, may still stand there
        ...(phase.unseen && { stands: true, unseen: true }),
      })
    case 'unknown':
    case 'failed':
      if (phase.typedAt === null) return refuse('never-typed')
      return put(entry, {
        state: 'confirmed',
        typedAt: phase.typedAt,
        submittedAt: phase.submittedAt ?? at,
        confirmedAt: at,
        late: true,
      })
    case 'superseded':
    case 'cancelled':
    case 'expired':
      if (!phase.stands || phase.typedAt === null) return refuse('wrong-state')
      return put(entry, {
        state: 'confirmed',
        typedAt: phase.typedAt,
        submittedAt: at,
        confirmedAt: at,
        late: true,
        stands: true,
        ...(phase.unseen && { unseen: true }),
      })
    default:
      return refuse('wrong-state')
  }
}

/**
 * The diagram lets `typing` and `submitted` fail. A queued entry fails only where the terminal or its agent is gone
 * for good ("Terminal not ready" clears state only when that is permanent); everything else holds it.
 */
function fail(entry: OutboxEntry, at: number, reason: FailReason): Outcome {
  const { phase } = entry
  const failed: Phase = { state: 'failed', typedAt: typedAtOf(phase), submittedAt: submittedAtOf(phase), at, reason }
  if (phase.state === 'typing' || phase.state === 'submitted') return put(entry, failed)
  if (phase.state !== 'queued') return refuse('wrong-state')
  return reason.code === 'terminal-gone' || reason.code === 'agent-gone'
    ? put(entry, failed)
    : refuse('terminal-still-there')
}

/** Several transitions as one step; refused as a whole when one of them is. */
export function transitions(entry: OutboxEntry, events: readonly EntryEvent[]): Outcome {
  let outcome: Outcome = { ok: true, entry }
  for (const event of events) {
    if (!outcome.ok) return outcome
    outcome = transition(outcome.entry, event)
  }
  return outcome
}
