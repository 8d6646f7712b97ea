import { posix } from 'node:path'
import { z } from 'zod'
import type { EventBody, RecordEvent, TimelineEvent } from '../../../shared/events.ts'
import type { PassedOver, RouteFact, RouteReason } from '../../../shared/routing.ts'
import { excerptOf } from '../../../shared/said.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { type Disposable, emitter } from '../base/disposable.ts'
import { ownShare } from '../base/work.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Mutable } from '../base/mutable.ts'
import { bounded } from '../base/newest.ts'
import { nothingToHide, type Redactor } from '../secrets/redact.ts'
import type { Files } from '../store/types.ts'
import { jsonlFile, holds, release, textOf, type Line } from './jsonl-file.ts'

export interface TimelineQuery {
  session: string | null
  beforeSeq?: number | undefined
  limit: number
}

export interface FindQuery {
  words: string
  session: string | null
  limit: number
}

export interface Timeline {
  record: RecordEvent
  /** The newest `limit` events before `beforeSeq`, oldest of them first. `session: null`: of all sessions. */
  list(query: TimelineQuery): readonly TimelineEvent[]
  /**
   * The newest events that say these words, newest first; an excerpt stands beside each. Gives way to other work: there
   * may be megabytes to read.
   */
  find(query: FindQuery): Promise<readonly { event: TimelineEvent; excerpt: string }[]>
  onEvent(listener: (event: TimelineEvent) => void): Disposable
  /** resolves when the events of earlier runs are in memory; `list` answers before, with what there is */
  readonly loaded: Promise<void>
  /** Takes away what happened in a session so far, in memory and on the disk. @throws what the disk said */
  forget(sessionId: string): Promise<void>
  flush(): Promise<void>
}

export interface TimelineOptions {
  clock: Clock
  random: Random
  files: Files
  log: Log
  /** absolute folder in which `timeline.jsonl` stands */
  root: string
  /** takes secrets out of events before they are kept, logged and sent to viewers */
  redactor?: () => Pick<Redactor, 'mayBeIn' | 'value'>
  /** events kept in memory */
  limit?: number
  /** when those of earlier runs may be read: their readers wait for `loaded` */
  readFrom?: Promise<void>
}

const eventShape = z.object({
  id: z.string(),
  seq: z.number().int(),
  at: z.number(),
  sessionId: z.string().nullable(),
  scope: z.string().nullable(),
  requestId: z.string().nullable(),
  body: z.looseObject({ type: z.string() }),
})

/** Our own file: the envelope is checked, the body is taken as it was written. */
const parseEvent = (value: unknown): TimelineEvent | null =>
  eventShape.safeParse(value).success ? (value as TimelineEvent) : null

/**
 * An event in memory, as its line: thousands are kept and few read again, and a line is nothing to the
 * garbage collector where an event is twenty things.
 */
interface Kept {
  seq: number
  sessionId: string | null
  line: Line
}

const asKept = ({ seq, sessionId }: TimelineEvent, line: Line): Kept => ({ seq, sessionId, line })
const read = ({ line }: Kept): TimelineEvent => withRouteInEvent(JSON.parse(textOf(line)) as TimelineEvent)

/**
 * Everything that happened, in order: the one source of timeline rows, log lines and live updates. `seq` goes on from
 * the run before, so that it orders all of them.
 */
export async function createTimeline({
  clock,
  random,
  files,
  log,
  root,
  redactor = () => nothingToHide,
  limit = 20_000,
  readFrom = Promise.resolve(),
}: TimelineOptions): Promise<Timeline> {
  const file = jsonlFile({ clock, files, path: posix.join(root, 'timeline.jsonl'), log, parse: parseEvent })
  const events = bounded<Kept>(limit, ({ line }) => release(line.chunk))
  const appended = emitter<TimelineEvent>((error) => log.error({ err: error }, 'a listener to the timeline failed'))

  const stored = file.newestFirst()
  // only the newest is waited for, for its number; the others follow while the engine works already
  const newest = await stored.next()
  let seq = newest.done ? 0 : newest.value.item.seq

  const load = async () => {
    if (newest.done) return
    await readFrom
    const older = [asKept(newest.value.item, newest.value.line)]
    for await (const { item, line } of stored) {
      older.push(asKept(item, line))
      if (older.length >= limit) break
    }
    events.prepend(older.reverse())
  }

  const loaded = load()
  return {
    loaded,
    record(where, body) {
      const event: Mutable<TimelineEvent> = {
        id: random.uuid(),
        seq: ++seq,
        at: clock.now(),
        sessionId: where.sessionId ?? null,
        scope: where.scope ?? null,
        requestId: where.requestId ?? null,
        body,
      }
      let json = JSON.stringify(event)
      const { mayBeIn, value } = redactor()
      if (mayBeIn(json)) {
        event.body = value(body)
        json = JSON.stringify(event)
      }
      events.push(asKept(event, file.append(json)))
      writeLine(log, event)
      appended.emit(event)
    },
    list({ session, beforeSeq = Number.POSITIVE_INFINITY, limit: count }) {
      const found: Kept[] = []
      const all = events.items()
      for (let i = all.length - 1; i >= 0 && found.length < count; i--) {
        const event = all[i]
        if (event && event.seq < beforeSeq && (session === null || event.sessionId === session)) found.push(event)
      }
      return found.reverse().map(read)
    },
    async find({ words, session, limit: count }) {
      await loaded
      const wanted = words.toLowerCase()
      // as it stands within a line, which tells most of them apart unread
      const written = JSON.stringify(wanted).slice(1, -1)
      const found: { event: TimelineEvent; excerpt: string }[] = []
      const all = [...events.items()]
      for (let i = all.length - 1; i >= 0 && found.length < count; i--) {
        if (i % 32 === 0) await ownShare()
        const kept = all[i]
        if (!kept || (session !== null && kept.sessionId !== session)) continue
        if (!textOf(kept.line).toLowerCase().includes(written)) continue
        const event = read(kept)
        const excerpt = excerptOf(event.body, wanted)
        if (excerpt !== null) found.push({ event, excerpt })
      }
      return found
    },
    onEvent: (listener) => appended.on(listener),
    async forget(sessionId) {
      // A later turn of the same id is another session's.
      const last = seq
      await loaded
      const before = seqsBefore(events.items(), sessionId)
      const gone = (event: Pick<Kept, 'seq' | 'sessionId'>) =>
        event.seq <= last && (event.sessionId === sessionId || (event.sessionId === null && before.has(event.seq)))
      events.drop(gone)
      await file.drop(gone)
    },
    flush: () => file.flush(),
  }
}

/**
 * Finds the events in a session's terminal before its first turn, when it had no name yet: their numbers. A followup
 * that was queued by then holds words of the session.
 */
function seqsBefore(events: readonly Kept[], sessionId: string): ReadonlySet<number> {
  const found = new Set<number>()
  /** by scope: what has come there since a session had it */
  const waiting = new Map<string, number[]>()
  for (const kept of events) {
    if (kept.sessionId !== null && (waiting.size === 0 || !namesOne(kept, waiting))) continue
    const { scope } = read(kept)
    if (scope === null) continue
    const come = waiting.get(scope) ?? []
    if (kept.sessionId === null) {
      come.push(kept.seq)
      waiting.set(scope, come)
    } else {
      if (kept.sessionId === sessionId) for (const seq of come) found.add(seq)
      waiting.delete(scope)
    }
  }
  return found
}

/** Decided by the line: most events are of other places, and reading them all takes its time. */
const namesOne = ({ line }: Kept, scopes: ReadonlyMap<string, unknown>): boolean =>
  [...scopes.keys()].some((scope) => holds(line, JSON.stringify(scope)))

const problems: ReadonlySet<EventBody['type']> = new Set([
  'failed',
  'stop-message-failed',
  'store-problem',
  'engine-problem',
  'config-problem',
])

/**
 * Events of every request: the timeline and the records of turns have them, a log that should stay readable does not.
 */
function isEveryday({ body }: TimelineEvent): boolean {
  switch (body.type) {
    case 'turn-started':
      return true
    case 'turn-ended':
      return body.status < 400 && body.error === undefined && !body.clientLeft
    case 'skipped':
      return (
        body.reason.code === 'no-scope' || body.reason.code === 'nothing-armed' || body.reason.code === 'not-a-turn'
      )
    default:
      return false
  }
}

function writeLine(log: Log, event: TimelineEvent): void {
  if (isEveryday(event)) return
  const { sessionId, scope, requestId, body } = event
  const { type, ...fields } = body
  const line = { ...withoutTexts(fields), session: sessionId, scope, requestId }
  if (problems.has(type)) log.warn(line, type)
  else log.info(line, type)
}

/** Members that hold what people, models or programs wrote: followups, goals, markers, questions, findings. */
const texts: ReadonlySet<string> = new Set(['text', 'marker', 'what', 'say', 'evidence'])
/** Lists of such: what a reviewer saw and wrote. */
const lists: ReadonlySet<string> = new Set(['evidence', 'blockers', 'looks', 'checks'])
/** what an event of pausing calls its extent */
const extents: ReadonlySet<unknown> = new Set(['session', 'all'])

/** Event fields for the log: followups and other words of people are in the timeline only, never in the log. */
export function withoutTexts(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (texts.has(name) && typeof value === 'string' && !extents.has(value)) return [[`${name}Length`, value.length]]
      if (lists.has(name) && Array.isArray(value)) return [[`${name}Count`, value.length]]
      return [[name, isPlain(value) ? withoutTexts(value) : value]]
    }),
  )
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A route as it stands on the disk: before 0.2 its reasons were sentences, and no category was kept. */
interface WrittenRoute {
  provider: string
  model: string
  keyAlias?: string | null
  category?: RouteFact['category']
  why?: readonly (string | RouteReason)[]
  skipped?: readonly { candidate: string; why: string | PassedOver }[]
}

/** The route of a record, whichever version wrote it. */
export function readRoute(written: WrittenRoute | null | undefined): RouteFact | null {
  if (!written) return null
  const { provider, model, keyAlias = null, category = null, why = [], skipped = [] } = written
  return {
    provider,
    model,
    keyAlias,
    category,
    why: why.map(reason),
    skipped: skipped.map((one) => ({ candidate: one.candidate, why: reason(one.why) })),
  }
}

const reason = <T>(why: string | T): T | { code: 'said'; text: string } =>
  typeof why === 'string' ? { code: 'said', text: why } : why

export const withRoute = (record: TurnRecord): TurnRecord => ({ ...record, route: readRoute(record.route) })

function withRouteInEvent(event: TimelineEvent): TimelineEvent {
  const { body } = event
  return body.type === 'turn-ended' ? { ...event, body: { ...body, route: readRoute(body.route) } } : event
}
