import { createHash } from 'node:crypto'
import type { MarkerHeldWhy } from '../../../../shared/events.ts'
import type { ClientKind, Language } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Pastes } from '../../markers/pastes.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { TurnIdentity } from '../../sessions/types.ts'
import {
  isPureCommand,
  mostMarkers,
  parseMarkers,
  stripUserText,
  type HeldMarker,
  type InCode,
  type Instruction,
  type KnownTargets,
  type ParsedMarkers,
} from '../../markers/index.ts'
import { mayHoldMarker, userTextEdits } from '../../protocol/index.ts'
import { carryOut, hold, tooMany, type CarryOutDeps, type MarkerPlace } from './carry-out-markers.ts'
import type { Turn, Writing } from '../turn.ts'

export interface MarkerDeps extends CarryOutDeps {
  language(): Language
  targets: KnownTargets
  /** config `markers.anywhere` */
  anywhere(): boolean
  /** config `markers.codeSpans` */
  inCode(): InCode
  /** returns a person's words in each text, empty where the client wrote it all (sessions/person-text) */
  personTexts(client: ClientKind, texts: readonly string[]): readonly string[]
  /** texts whose markers were followed, by session */
  followed: FollowedTexts
  /** Onward's record of a marker in a terminal whose keyboard it sees */
  keyboard: Pick<Pastes, 'saw' | 'sawTyped'>
}

/**
 * A client whose turn was cut joins its message with the next one (Gemini CLI 0.61.0, killed and started again): with
 * another text after it, one that was followed is not followed again.
 */
export interface FollowedTexts {
  has(session: string, text: string): boolean
  add(session: string, text: string): void
}

const FOLLOWED_KEPT = 500

export function createFollowedTexts(): FollowedTexts {
  const kept = new Set<string>()
  const name = (session: string, text: string) => createHash('sha256').update(`${session}\n${text}`).digest('base64')
  return {
    has: (session, text) => kept.has(name(session, text)),
    add(session, text) {
      kept.add(name(session, text))
      for (const [oldest] of kept.entries()) {
        if (kept.size <= FOLLOWED_KEPT) return
        kept.delete(oldest)
      }
    },
  }
}

/**
 * Reads the newest user message for markers and carries them out: only those a person wrote, and only in a first-time
 * `turn`; a retry gets the same answer without anything being applied twice.
 */
export async function readMarkers(turn: Writing<'ownAnswer' | 'overrides'>, deps: MarkerDeps): Promise<void> {
  const { identity } = turn
  if (identity.kind !== 'turn') return
  const last = turn.draft.lens.lastMessage()
  if (last?.role !== 'user' || last.texts.length === 0) return
  const session = identity.sessionId ?? ''
  const persons = deps.personTexts(identity.client, last.texts)
  // A client's own text after a person's words is no message that they are joined with.
  const end = persons.findLastIndex((text) => text.trim() !== '')
  const texts = persons.filter(
    (text, i) => text !== '' && !turn.receipt.ours[i] && !(i < end && deps.followed.has(session, text)),
  )
  if (!texts.some((text) => text.includes('<**'))) return
  const parsed = parseTexts(texts, turn, deps)
  if (parsed.instructions.length + parsed.held.length === 0) return

  const answer = identity.retry ? [] : await follow(turn, deps, parsed)
  for (const text of texts) if (text.includes('<**')) deps.followed.add(session, text)
  // Beyond the markers that count nothing was parsed, so the message may hold more than commands.
  if (!parsed.beyond && isPureCommand(texts, parsed, deps.inCode()))
    turn.ownAnswer = `Onward: ${answer.length > 0 ? answer.join(' ') : 'done already.'}`
}

/**
 * Takes the markers out of every user text, history included, by one pure function: the provider never sees one.
 * @throws OnwardError `too-many-markers` (400)
 */
export function strip(turn: Writing<'draft'>, inCode: InCode): void {
  const { lens } = turn.draft
  if (!mayHoldMarker(lens.body)) return
  let left = MOST_STRIPPED
  const stripped = (text: string): string => {
    for (let at = text.indexOf('<**'); at >= 0; at = text.indexOf('<**', at + 3)) if (--left < 0) throw tooManyMarkers()
    return stripUserText(text, inCode)
  }
  turn.draft = { ...turn.draft, edits: userTextEdits(lens, stripped, mayHoldMarker) }
}

/**
 * Runs before a person's words are looked for: that would take longer than to take the markers out.
 * @throws OnwardError `too-many-markers` (400)
 */
export function refuseMarkers({ body, userTexts }: RequestLens): void {
  if (holdsAtMost(body, MOST_STRIPPED)) return
  let left = MOST_STRIPPED
  for (const { start, end } of userTexts()) {
    const text = body.subarray(start, end)
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 3))
      if (--left < 0) throw tooManyMarkers()
  }
}
function holdsAtMost(body: Buffer, most: number): boolean {
  let left = most
  for (let at = body.indexOf(marker); at >= 0; at = body.indexOf(marker, at + 3)) if (--left < 0) return false
  return true
}
const marker = Buffer.from('<**')

/**
 * of all messages of a request: no person writes a hundredth of it, and all other requests wait while markers are taken
 * out
 */
const MOST_STRIPPED = 50_000
const tooManyMarkers = (): OnwardError =>
  new OnwardError(
    'too-many-markers',
    `The messages of this conversation hold more than ${MOST_STRIPPED} markers (<**…**>). ` +
      'Begin a new one, or leave out the message that has them.',
    { status: 400 },
  )

/** Returns the markers of all texts of the message, up to the number that counts. */
function parseTexts(texts: readonly string[], { identity }: Turn, deps: MarkerDeps): ParsedMarkers {
  const instructions: Instruction[] = []
  const held: HeldMarker[] = []
  let beyond = false
  const said = texts.filter((text) => text.trim() !== '')
  for (const [i, text] of said.entries()) {
    if (beyond || !text.includes('<**')) continue
    const parsed = parseMarkers(text, {
      language: deps.language(),
      targets: deps.targets,
      part: { first: i === 0, last: i === said.length - 1 },
      anywhere: deps.anywhere(),
      code: deps.inCode(),
      heldFor: (marker) => heldFor(marker, identity, deps),
      most: mostMarkers - instructions.length - held.length,
    })
    instructions.push(...parsed.instructions)
    held.push(...parsed.held)
    beyond = parsed.beyond
  }
  return { instructions, held, beyond }
}

/** The agent that the text was typed into proves that a person wrote it, else the keys that Onward saw. */
function heldFor(
  marker: string,
  { markers, terminalId }: TurnIdentity,
  { anywhere, keyboard }: MarkerDeps,
): MarkerHeldWhy | null {
  if (markers === 'none') return 'unproven'
  if (terminalId !== null && !anywhere() && keyboard.saw(terminalId, marker)) return 'in-paste'
  if (markers === undefined) return null
  return terminalId !== null && keyboard.sawTyped(terminalId, marker) ? null : 'unproven'
}

async function follow(
  turn: Writing<'overrides'>,
  deps: MarkerDeps,
  { instructions, held, beyond }: ParsedMarkers,
): Promise<readonly string[]> {
  const place = placeOf(turn)
  const { said, overrides } = await carryOut(place, turn.overrides, instructions, deps)
  turn.overrides = overrides
  return [...said, ...(beyond ? [tooMany(place, deps)] : []), ...(await hold(place, held, deps))]
}

function placeOf({ identity, call }: Turn): MarkerPlace {
  const { sessionId, scope, terminalId, scopeProblem } = identity
  const blocked = identity.registeredClientOnly
    ? {
        code: 'registered-client',
        message: 'This client is registered for alarms only; stopMessage needs its terminal.',
      }
    : null
  return { sessionId, scope, terminalId, requestId: call.requestId, blocked, scopeProblem }
}
