/**
 * The messages between engine and terminal host, one JSON object per WebSocket message at `/hosts`.
 *
 * A host owns PTYs and outlives the engine: it connects, says `hello` with everything it has, and reconnects for ever.
 * Before that, host and engine have proved to each other that they can read the home (shared/control/proof.ts). The
 * engine orders; the host reads screens, types and reports. An order to type is carried out at most once per entry id,
 * also over reconnects: outcomes stay in the host's `hello` until the engine says `heard`.
 */
import { z } from 'zod'
import { askedActs } from '../../../../shared/sentences/needs.ts'
import { clientKinds } from '../../../../shared/words.ts'

export const hostPath = '/hosts'
export const hostProtocolVersion = 1

const id = z.string().min(1).max(512)
const text = z.string().max(16 * 1024 * 1024)
// Reasons are checked where they are shown; a host of another version may know more of them.
const reason = z.looseObject({ code: z.string() })

/** the open dialog's question (AskedView); absent from older hosts */
const asked = z.object({
  question: z.string().nullable(),
  about: z.string().nullable(),
  choices: z.array(z.object({ label: z.string(), key: z.string().nullable() })).readonly(),
  wants: z.object({ act: z.enum(askedActs), what: z.string() }).optional(),
  pointer: z.object({ at: z.number().int().min(0), moves: z.enum(['down', 'across']) }).optional(),
})
/** words of the screen; absent from older hosts, too */
const background = z.string().nullable().optional()
/** absent from older hosts */
const above = z.array(z.string()).readonly().optional()
const ready = z.object({
  kind: z.literal('ready'),
  bracketedPaste: z.boolean(),
  fresh: z.boolean().optional(),
  stopped: z.boolean().optional(),
  background,
  above,
  conversation: z.string().optional(),
  answered: z.boolean().optional(),
})
const composerHolds = z.object({
  kind: z.literal('composer-holds'),
  text: z.string().nullable(),
  room: z.object({ rows: z.number(), cols: z.number(), screen: z.number() }).optional(),
  fresh: z.boolean().optional(),
  stopped: z.boolean().optional(),
  background,
  above,
})
const reading = z.discriminatedUnion('kind', [
  ready,
  composerHolds,
  z.object({
    kind: z.literal('hold'),
    reason,
    asked: asked.optional(),
    background,
    screenAlone: z.discriminatedUnion('kind', [ready, composerHolds]).optional(),
  }),
  z.object({ kind: z.literal('gone'), reason }),
])
const result = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('submitted'), extraEnter: z.boolean(), unseen: z.boolean().optional() }),
  z.object({ kind: z.literal('held'), reason }),
  z.object({
    kind: z.literal('enter-owed'),
    reason,
    shown: z.boolean().optional(),
    entered: z.boolean().optional(),
    broken: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('removed') }),
  z.object({ kind: z.literal('failed'), reason }),
  z.object({ kind: z.literal('unknown') }),
])

/**
 * How its agent ended, beside its exit code. `asked`: a person quit it, or its host was told to end it. `resumes`: the
 * way to continue its conversation is known. Absent from older hosts
 */
export const agentEnding = z.object({
  signal: z.string().nullable(),
  asked: z.enum(['person', 'told']).nullable(),
  resumes: z.boolean(),
})
export type AgentEnding = z.infer<typeof agentEnding>

const terminalFacts = z.object({
  terminalId: id,
  pid: z.number().int(),
  cols: z.number().int(),
  rows: z.number().int(),
  alive: z.boolean(),
  exitCode: z.number().int().nullable(),
  ending: agentEnding.optional(),
})
export type HostTerminalFacts = z.infer<typeof terminalFacts>

export const hostHello = z.object({
  type: z.literal('hello'),
  version: z.number().int(),
  hostId: id,
  pid: z.number().int(),
  terminals: z.array(terminalFacts),
  /** outcomes of orders that no engine has heard of yet */
  outcomes: z.array(z.object({ terminalId: id, entryId: id, result })),
})
export type HostHello = z.infer<typeof hostHello>

/** host -> engine, after `hello` */
export const fromHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), call: z.number().int(), terminal: terminalFacts }),
  z.object({ type: z.literal('refused'), call: z.number().int(), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('reading'), call: z.number().int(), reading }),
  /** the screen without its words, see ../screen/screen-report.ts */
  z.object({ type: z.literal('report'), call: z.number().int(), report: text }),
  z.object({ type: z.literal('outcome'), terminalId: id, entryId: id, result }),
  z.object({ type: z.literal('changed'), terminalId: id }),
  /** a person pasted several lines, so long ago (milliseconds); null: more than can be read */
  z.object({ type: z.literal('pasted'), terminalId: id, text: text.nullable(), ageMs: z.number().min(0) }),
  z.object({
    type: z.literal('exited'),
    terminalId: id,
    exitCode: z.number().int().nullable(),
    ending: agentEnding.optional(),
  }),
  z.object({ type: z.literal('screen'), terminalId: id, data: text, cols: z.number().int(), rows: z.number().int() }),
  z.object({ type: z.literal('data'), terminalId: id, data: text }),
  z.object({ type: z.literal('resized'), terminalId: id, cols: z.number().int(), rows: z.number().int() }),
])
export type FromHost = z.infer<typeof fromHost>

/** The program to start in a new PTY. */
export const ptySpec = z.object({
  terminalId: id,
  client: z.enum(clientKinds),
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  cols: z.number().int().min(2).max(1000),
  rows: z.number().int().min(2).max(1000),
})
export type PtySpec = z.infer<typeof ptySpec>

const known = z.object({
  sessionId: id,
  said: z.array(z.object({ letters: z.number(), telling: z.boolean(), marks: z.string() })).readonly(),
})
const order = z.object({
  entryId: id,
  text,
  client: z.enum(clientKinds),
  ongoing: z.boolean().optional(),
  conversation: z
    .object({ wanted: known, others: z.array(known).readonly(), anyway: z.boolean().optional() })
    .optional(),
  screenAlone: z.boolean().optional(),
  again: z.boolean().optional(),
  unseen: z.boolean().optional(),
})

/** engine -> host */
export const toHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), version: z.number().int() }),
  z.object({ type: z.literal('open'), call: z.number().int(), spec: ptySpec }),
  /**
   * its agent ended: start the same program once more, with this conversation; null: with the one it was started with.
   * Answered as `open`
   */
  z.object({ type: z.literal('restart'), call: z.number().int(), terminalId: id, conversation: id.nullable() }),
  z.object({ type: z.literal('read'), call: z.number().int(), terminalId: id }),
  z.object({ type: z.literal('report'), call: z.number().int(), terminalId: id }),
  /** `owed`: only Enter, the text stands in the composer */
  z.object({ type: z.literal('type'), terminalId: id, order, owed: z.boolean() }),
  z.object({ type: z.literal('take-out'), terminalId: id, order }),
  z.object({ type: z.literal('arrived'), entryId: id }),
  z.object({ type: z.literal('stop'), entryId: id }),
  z.object({ type: z.literal('heard'), entryId: id }),
  z.object({ type: z.literal('listen'), terminalId: id, on: z.boolean() }),
  z.object({ type: z.literal('watch'), terminalId: id, on: z.boolean() }),
  /** the next message that was suggested to its client; null: none any more */
  z.object({ type: z.literal('suggested'), terminalId: id, text: text.nullable() }),
  z.object({ type: z.literal('write'), terminalId: id, data: text }),
  z.object({
    type: z.literal('resize'),
    terminalId: id,
    cols: z.number().int().min(2).max(1000),
    rows: z.number().int().min(2).max(1000),
  }),
  z.object({ type: z.literal('close'), terminalId: id }),
])
export type ToHost = z.infer<typeof toHost>
