import { z } from 'zod'
import type { OwnDrive } from '../../../shared/drives.ts'
import { markerHeldWhys } from '../../../shared/events.ts'
import { shortId } from '../../../shared/short-id.ts'
import { clientKinds, entryProtocols, type Scope } from '../../../shared/words.ts'
import { coldShape } from '../records/kept-sums.ts'

/** Sticky routing markers. `force` lasts one turn and is never stored. */
const routingShape = z.object({
  allow: z.array(z.string()).readonly().nullable(),
  prefer: z.string().nullable(),
  disabled: z.array(z.string()).readonly(),
})
export type StickyRouting = z.infer<typeof routingShape>
export const noRouting: StickyRouting = { allow: null, prefer: null, disabled: [] }

const usageShape = z.object({ input: z.number(), cachedInput: z.number(), output: z.number(), reasoning: z.number() })
const scopeShape = z.custom<Scope>((value) => typeof value === 'string' && /^(tmux|pty|session):./.test(value))

const heldMarkerShape = z.object({
  id: z.string(),
  marker: z.string(),
  why: z.enum(markerHeldWhys),
  at: z.number(),
  /** the content of the file it names, if a person is asked about that */
  goal: z.string().optional(),
})
/** A marker that was cut out and not followed: a person applies or forgets it. */
export type HeldMarkerState = z.infer<typeof heldMarkerShape>

const outageShape = z.object({
  failed: z.array(z.string()).readonly(),
  since: z.number(),
  tell: z.boolean(),
  standIn: z.string().nullable(),
})

const failureShape = z.object({
  provider: z.string().nullable(),
  status: z.number(),
  message: z.string(),
  tries: z.number(),
  since: z.number(),
  at: z.number(),
  tried: z
    .array(
      z.object({
        provider: z.string(),
        model: z.string(),
        keyAlias: z.string().nullable(),
        status: z.number().nullable(),
        code: z.string(),
      }),
    )
    .readonly(),
  full: z.literal(true).optional(),
  retries: z.boolean(),
  turn: z.string().optional(),
})

const askShape = z.object({ budget: z.enum(['rounds', 'time', 'tokens', 'cost']), limit: z.number() })
const useShape = { since: z.number(), turns: z.number(), tokens: z.number(), costUsd: z.number().nullable() }
const limit = z.number().nullable()
const timed = { prompt: z.string(), next: z.number().nullable(), latest: z.number().nullable() }
const driveFacts = {
  id: z.string(),
  what: z.string().nullable(),
  since: z.number().nullable(),
  seen: z.number(),
  source: z.string(),
  version: z.string().nullable(),
  turns: z.number(),
  tokens: z.number(),
  costUsd: z.number().nullable(),
  unpricedTokens: z.number().optional(),
  worthUsd: z.number().optional(),
  works: z.literal(true).optional(),
  call: z.string().optional(),
  bound: z
    .object({
      rounds: limit,
      hours: limit,
      tokens: limit,
      costUsd: limit,
      from: z.object(useShape),
      asked: askShape.nullable(),
    })
    .optional(),
  state: z.discriminatedUnion('is', [
    z.object({ is: z.literal('on') }),
    z.object({ is: z.literal('over'), at: z.number(), how: z.enum(['ended', 'fired', 'cleared']) }),
    z.object({
      is: z.literal('unknown'),
      at: z.number(),
      why: z.enum(['agent-ended', 'history', 'compaction', 'failed', 'quiet', 'told']),
    }),
    z.object({
      is: z.literal('stopping'),
      at: z.number(),
      refuses: z.literal(true).optional(),
      entry: z.string().optional(),
    }),
    z.object({ is: z.literal('stopped'), at: z.number(), how: z.enum(['by-agent', 'refused', 'paused']) }),
    z.object({ is: z.literal('missed'), due: z.number(), at: z.number(), rescued: z.boolean() }),
  ]),
}
const driveShape: z.ZodType<OwnDrive> = z.discriminatedUnion('kind', [
  z.object({ ...driveFacts, kind: z.enum(['goal', 'command', 'monitor', 'agent']) }),
  z.object({ ...driveFacts, ...timed, kind: z.enum(['loop', 'wakeup']), armed: z.boolean() }),
  z.object({ ...driveFacts, ...timed, kind: z.literal('schedule'), cron: z.string(), once: z.boolean() }),
])
const drivenShape = z.object({ ...useShape, asked: askShape.nullable() })
/** What it used by itself since a person last let it; `asked`: the bound at which it waits for their word. */
export type Driven = Readonly<z.infer<typeof drivenShape>>
const noDrives: readonly OwnDrive[] = []

/** A person's choices. Written through: answered only when they are on the disk. */
const choicesShape = z.object({
  name: z.string().default(''),
  pinned: z.boolean().default(false),
  /** put away then; a turn after that brings it back */
  archivedAt: z.number().nullable().default(null),
  paused: z.boolean().default(false),
  routing: routingShape.default(noRouting),
  /** bodies of its turns are kept on the disk */
  capture: z.boolean().default(false),
  /** newest last */
  heldMarkers: z.array(heldMarkerShape).readonly().default([]),
  /** the person's requests for the time its turns fail */
  outage: outageShape.nullable().default(null),
  /** the session in which the same conversation goes on: the client gave it another id */
  continuedIn: z.string().nullable().default(null),
})

/** Facts that requests showed. Written now and then; a crash may cost the last seconds of the sums. */
const factsShape = z.object({
  client: z.enum(clientKinds),
  entry: z.enum(entryProtocols).nullable().default(null),
  cwd: z.string().nullable().default(null),
  /** which of the sessions in its folder it is (tell-apart.ts) */
  nth: z.number().int().min(1).default(1),
  model: z.string().nullable().default(null),
  route: z.object({ provider: z.string(), model: z.string() }).nullable().default(null),
  scope: scopeShape.nullable().default(null),
  terminalId: z.string().nullable().default(null),
  /** bound to a registered client: alarms and display, never stopMessage */
  daemonId: z.string().nullable().default(null),
  turns: z.number().default(0),
  /** names the list of Onward's tools its requests declare, the same for its whole life (servertools/registry.ts) */
  toolList: z.string().nullable().default(null),
  usage: usageShape.default({ input: 0, cachedInput: 0, output: 0, reasoning: 0 }),
  costUsd: z.number().nullable().default(null),
  /** what is not in `costUsd` (shared/cost/cost.ts) */
  unpricedTokens: z.number().default(0),
  worthUsd: z.number().default(0),
  /** caches that were cold; null: none is known to have been */
  cold: coldShape.nullable().default(null),
  /** how long its provider keeps the cache of its last request, if nothing uses it; null: not known */
  cacheUntil: z.number().nullable().default(null),
  startedAt: z.number(),
  lastActivityAt: z.number(),
  /** how its last main request ended, if in an error */
  failure: failureShape.nullable().default(null),
  /** what its agent set itself to go on by (drives/reduce.ts) */
  drives: z.array(driveShape).readonly().default(noDrives),
  driven: drivenShape.nullable().default(null),
})

export type SessionChoices = z.infer<typeof choicesShape>
export type SessionFacts = z.infer<typeof factsShape>
/**
 * One conversation, as `session-<id>.json` keeps it. The id is in the file, because the file's name may only hold its
 * hash.
 */
export interface SessionState extends SessionChoices, SessionFacts {
  id: string
}

const idShape = z.object({ id: z.string() })
/** Not by spreading: V8 would then keep a layout for each of thousands, a third of their memory. */
export const parseSession = (value: unknown): SessionState =>
  sessionState(idShape.parse(value).id, choicesShape.parse(value), factsShape.parse(value))

export const noChoices: SessionChoices = {
  name: '',
  pinned: false,
  archivedAt: null,
  paused: false,
  routing: noRouting,
  capture: false,
  heldMarkers: [],
  outage: null,
  continuedIn: null,
}

export function choicesOf(of: SessionChoices): SessionChoices {
  const { name, pinned, archivedAt, paused, routing, capture, heldMarkers, outage, continuedIn } = of
  return { name, pinned, archivedAt, paused, routing, capture, heldMarkers, outage, continuedIn }
}

export function factsOf({
  client,
  entry,
  cwd,
  nth,
  model,
  route,
  scope,
  terminalId,
  daemonId,
  turns,
  toolList,
  usage,
  costUsd,
  unpricedTokens,
  worthUsd,
  cold,
  cacheUntil,
  startedAt,
  lastActivityAt,
  failure,
  drives,
  driven,
}: SessionFacts): SessionFacts {
  return {
    client,
    entry,
    cwd,
    nth,
    model,
    route,
    scope,
    terminalId,
    daemonId,
    turns,
    toolList,
    usage,
    costUsd,
    unpricedTokens,
    worthUsd,
    cold,
    cacheUntil,
    startedAt,
    lastActivityAt,
    failure,
    drives,
    driven,
  }
}

/** Joins both parts of a session. Member by member, because it runs twice in every request. */
export function sessionState(id: string, choices: SessionChoices, facts: SessionFacts): SessionState {
  return {
    id,
    name: choices.name,
    pinned: choices.pinned,
    archivedAt: choices.archivedAt,
    paused: choices.paused,
    routing: choices.routing,
    capture: choices.capture,
    heldMarkers: choices.heldMarkers,
    outage: choices.outage,
    continuedIn: choices.continuedIn,
    client: facts.client,
    entry: facts.entry,
    cwd: facts.cwd,
    nth: facts.nth,
    model: facts.model,
    route: facts.route,
    scope: facts.scope,
    terminalId: facts.terminalId,
    daemonId: facts.daemonId,
    turns: facts.turns,
    toolList: facts.toolList,
    usage: facts.usage,
    costUsd: facts.costUsd,
    unpricedTokens: facts.unpricedTokens,
    worthUsd: facts.worthUsd,
    cold: facts.cold,
    cacheUntil: facts.cacheUntil,
    startedAt: facts.startedAt,
    lastActivityAt: facts.lastActivityAt,
    failure: facts.failure,
    drives: facts.drives,
    driven: facts.driven,
  }
}

/** True if a person has put it away, and no turn has come since. */
export const isArchived = ({ archivedAt, lastActivityAt }: SessionState): boolean =>
  archivedAt !== null && lastActivityAt <= archivedAt

/**
 * True if a person talked in it or set something for it. What agents ask beside their turns (titles, memory, warm-ups,
 * sub-agents with ids of their own) is counted and recorded under the id it names, and is no conversation by itself.
 */
export const isConversation = ({ turns, name, pinned, paused, heldMarkers }: SessionState): boolean =>
  turns > 0 || name !== '' || pinned || paused || heldMarkers.length > 0

/** null: it has no folder, or that is the root */
export const folderName = (cwd: string | null): string | null =>
  cwd?.split(/[\\/]/).findLast((part) => part !== '') ?? null

/** Returns the name for a list: the given one, else the folder's with its number, else the beginning of the id. */
export function sessionName({ name, cwd, nth, id }: SessionState): string {
  if (name !== '') return name
  const folder = folderName(cwd)
  return folder === null ? shortId(id) : nth === 1 ? folder : `${folder} ${nth}`
}
