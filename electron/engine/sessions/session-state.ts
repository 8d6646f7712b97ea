import { z } from 'zod'
import { markerHeldWhys } from '../../../shared/events.ts'
import { shortId } from '../../../shared/short-id.ts'
import { clientKinds, entryProtocols, type Scope } from '../../../shared/words.ts'

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
  /** what stands in the file it names, where a person is asked about that */
  goal: z.string().optional(),
})
/** A marker that was cut out and not followed: a person applies or forgets it. */
export type HeldMarkerState = z.infer<typeof heldMarkerShape>

/** What a person set. Written through: answered only when it is on the disk. */
const choicesShape = z.object({
  name: z.string().default(''),
  pinned: z.boolean().default(false),
  paused: z.boolean().default(false),
  routing: routingShape.default(noRouting),
  /** bodies of its turns are kept on the disk */
  capture: z.boolean().default(false),
  /** newest last */
  heldMarkers: z.array(heldMarkerShape).readonly().default([]),
})

/** What was seen going by. Written now and then; a crash may cost the last second of it. */
const factsShape = z.object({
  client: z.enum(clientKinds),
  entry: z.enum(entryProtocols).nullable().default(null),
  cwd: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
  route: z.object({ provider: z.string(), model: z.string() }).nullable().default(null),
  scope: scopeShape.nullable().default(null),
  terminalId: z.string().nullable().default(null),
  /** bound to a registered client: alarms and display, never stopMessage */
  daemonId: z.string().nullable().default(null),
  turns: z.number().default(0),
  /** names the list of Onward's tools its requests declare, the same for its whole life (servertools/tool-lists.ts) */
  toolList: z.string().nullable().default(null),
  usage: usageShape.default({ input: 0, cachedInput: 0, output: 0, reasoning: 0 }),
  costUsd: z.number().nullable().default(null),
  startedAt: z.number(),
  lastActivityAt: z.number(),
})

export type SessionChoices = z.infer<typeof choicesShape>
export type SessionFacts = z.infer<typeof factsShape>
/**
 * One conversation, as `session-<id>.json` keeps it. The id stands inside, because a file name may only hold its hash.
 */
export interface SessionState extends SessionChoices, SessionFacts {
  id: string
}

const idShape = z.object({ id: z.string() })
export const parseSession = (value: unknown): SessionState => ({
  ...idShape.parse(value),
  ...choicesShape.parse(value),
  ...factsShape.parse(value),
})

export const noChoices: SessionChoices = {
  name: '',
  pinned: false,
  paused: false,
  routing: noRouting,
  capture: false,
  heldMarkers: [],
}

export function choicesOf({ name, pinned, paused, routing, capture, heldMarkers }: SessionChoices): SessionChoices {
  return { name, pinned, paused, routing, capture, heldMarkers }
}

export function factsOf({
  client,
  entry,
  cwd,
  model,
  route,
  scope,
  terminalId,
  daemonId,
  turns,
  toolList,
  usage,
  costUsd,
  startedAt,
  lastActivityAt,
}: SessionFacts): SessionFacts {
  return {
    client,
    entry,
    cwd,
    model,
    route,
    scope,
    terminalId,
    daemonId,
    turns,
    toolList,
    usage,
    costUsd,
    startedAt,
    lastActivityAt,
  }
}

/** What a list shows: the given name, else the folder's, else the beginning of the id. */
export const sessionName = ({ name, cwd, id }: SessionState): string =>
  name || cwd?.split(/[\\/]/).findLast((part) => part !== '') || shortId(id)
