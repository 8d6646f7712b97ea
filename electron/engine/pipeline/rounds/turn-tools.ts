import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { putNewest } from '../../base/newest.ts'
import { serverToolCodecOf } from '../../protocol/index.ts'
import { type HiddenNames, tokenScan } from '../../protocol/server-tools/types.ts'
import type { RequestLens } from '../../protocol/types.ts'
import { anchorOf, type LedgerEntry, type Ledger } from '../../servertools/ledger/ledger.ts'
import { matchEntries } from '../../servertools/ledger/match.ts'
import type { Registry, FrozenTool, ToolLists } from '../../servertools/registry.ts'
import { createToolRounds, type ToolRounds, type ToolRoundsDeps } from '../../servertools/tool-rounds/tool-rounds.ts'
import type { TurnView } from '../../servertools/types.ts'
import { rewritten, type Turn, type Writing } from '../turn.ts'
import type { HiddenRound } from './hidden-history.ts'

export interface TurnToolsDeps extends Pick<ToolRoundsDeps, 'record'> {
  clock: Clock
  log: Log
  registry: Registry
  lists: ToolLists
  ledger: Ledger
  settings(): Config['servertools']
  allOn(): boolean
  /** the name of the session's list of tools; null: it has none yet */
  listOf(sessionId: string): string | null
  setList(sessionId: string, name: string): void
}

/** Onward's own tools in one turn. */
export interface TurnTools {
  /**
   * Puts back into the request what its client never saw, and declares the tools. @returns null: nothing in the turn is
   * Onward's
   */
  begin(turn: Writing<'draft'>): Promise<BegunTurn | null>
}

export interface BegunTurn {
  toolRounds: ToolRounds
  /** Records what the client does not see. Never rejects. */
  keep(hiddenTurns: HiddenRound): Promise<void>
}

export function createTurnTools(deps: TurnToolsDeps): TurnTools {
  const { clock, log, registry, ledger, record } = deps
  const roundsDeps = { registry, clock, record, limits: () => deps.settings() }
  const ids = createResponseIds()
  const holdsAny = createKnownLists()
  /** for lists in use: a session's is the same in each of its requests */
  const listFacts = new WeakMap<readonly FrozenTool[], ListFacts>()
  return {
    async begin(turn) {
      const { call, identity } = turn
      const { sessionId } = identity
      if (!deps.allOn() || !carriesTools(turn)) return onlyStripped(turn)
      const serverTools = serverToolCodecOf(call.entry)
      const previous = turn.draft.lens.value('previous_response_id')
      const known = typeof previous === 'string' ? ids.of(previous) : null
      if (known) continueFrom(turn, known)
      const answers =
        sessionId === null ? null : await restoreHistory(turn, sessionId, { ledger, log, continued: known !== null })
      // If nothing was put back, this is the client's own request: its next one is compared with its present content.
      const asked = answers === null ? turn.draft.lens : null
      const why = serverTools.cannotDeclare(turn.draft.lens)
      if (why !== null) log.debug({ requestId: call.requestId, why }, 'no tools of Onward are declared')
      const tools = why === null ? wanted(turn) : noTools
      const { declarations, names } = factsOf(tools)
      turn.draft = { ...turn.draft, tools: serverTools.declare(turn.draft.lens, declarations) }
      // An empty answer is asked for again also where no tool is declared.
      const reacts = identity.kind === 'turn' && registry.automatic().length > 0
      if (call.endpoint === 'count' || (tools.length === 0 && !reacts)) return onlyStripped(turn)
      const toolRounds = createToolRounds(viewOf(turn), names, roundsDeps, neverShown(turn, names))
      return {
        toolRounds,
        async keep(hiddenTurns) {
          if (hiddenTurns.responseId !== null && hiddenTurns.continuesAs !== null)
            ids.note(hiddenTurns.responseId, {
              continuesAs: hiddenTurns.continuesAs,
              results: hiddenTurns.hidden.results,
            })
          if (sessionId === null) return
          try {
            const ordinal = asked ? serverTools.turns(asked).length : (answers ?? 0)
            const kept = tools.length > 0 ? hiddenTurns : withoutCalls(hiddenTurns)
            await ledger.add(sessionId, entryOf(kept, { at: clock.now(), protocol: call.entry, ordinal }))
          } catch (error) {
            // The client keeps its answer; the model will miss what it called.
            log.error(
              { requestId: call.requestId, error: messageOf(error) },
              'what the client does not see of a turn could not be kept',
            )
          }
        },
      }
    },
  }

  /**
   * Names whose calls are hidden from the client though they are not declared: a tool that it declared itself is its
   * own.
   */
  function neverShown({ draft, call, ownAnswer }: Turn, declared: HiddenNames): HiddenNames {
    const never = registry.neverShown
    if (call.endpoint !== 'generate' || call.internal || ownAnswer !== null || isWithin(never, declared)) return noNames
    const own = clientsOwn(draft.lens, [...never])
    return own.size === 0 ? never : new Set([...never].filter((name) => !own.has(name)))
  }

  function onlyStripped(turn: Turn): BegunTurn | null {
    const names = neverShown(turn, noNames)
    if (names.size === 0) return null
    const none: Registry = { ...registry, automatic: () => [] }
    return {
      toolRounds: createToolRounds(viewOf(turn), noNames, { ...roundsDeps, registry: none }, names),
      keep: async () => undefined,
    }
  }

  /** Returns the session's list, as far as this request may carry it. */
  function wanted(turn: Turn): readonly FrozenTool[] {
    const { kind } = turn.identity
    const hasTools = (turn.draft.lens.toolCount() ?? 0) > 0
    const { declare, beside } = deps.settings()
    const list = listFor(deps, turn, hasTools)
    const { words } = factsOf(list)
    const own = hasTools ? clientsOwn(turn.draft.lens, declare === 'always' ? words : [...words, ...beside]) : noNames
    const besides = hasTools && (declare === 'always' || beside.some((name) => own.has(name)))
    const isWanted = ({ declared, declaration: { name } }: FrozenTool) =>
      (declared === 'every-turn' ? kind === 'turn' || hasTools : besides) &&
      (own.size === 0 || !namesOf(name).some((one) => own.has(one)))
    // The list itself where all of it is wanted, so that its facts need not be worked out again.
    return list.every(isWanted) ? list : list.filter(isWanted)
  }

  function namesOf(name: string): readonly string[] {
    return [name, ...(registry.called(name)?.aliases ?? [])]
  }

  function factsOf(list: readonly FrozenTool[]): ListFacts {
    const known = listFacts.get(list)
    if (known) return known
    const declarations = list.map(({ declaration }) => declaration)
    const words = declarations.flatMap(({ name }) => namesOf(name))
    const facts = { declarations, words, names: new Set(words) }
    listFacts.set(list, facts)
    return facts
  }

  /**
   * Returns the names of the client's tools, if any of these words is among them. Declarations are long, and a quick
   * search shows when none of them has a word.
   */
  function clientsOwn(lens: RequestLens, words: readonly string[]): ReadonlySet<string> {
    const at = lens.place('tools')
    if (at && !holdsAny(lens.body.subarray(at.start, at.end), words)) return noNames
    return new Set(serverToolCodecOf(lens.protocol).clientTools(lens))
  }
}

/**
 * Returns the session's list; its first request with tools decides on it. A side request may come before any turn (Kimi
 * Code's `/btw`), and what it puts into the provider's cache is the beginning of the turns.
 */
function listFor(
  { listOf, setList, lists, registry }: TurnToolsDeps,
  turn: Turn,
  hasTools: boolean,
): readonly FrozenTool[] {
  const { sessionId, kind } = turn.identity
  const name = sessionId === null ? null : listOf(sessionId)
  const frozen = name === null ? null : lists.get(name)
  if (frozen) return frozen
  if (kind !== 'turn' && (!hasTools || turn.call.endpoint === 'count')) return noTools
  const kept = lists.keep(registry.offered({ ...viewOf(turn), kind: 'turn' }))
  if (sessionId !== null) setList(sessionId, kept)
  return lists.get(kept) ?? noTools
}

const entryOf = (
  { text, calls, responseId, continuesAs, hidden }: HiddenRound,
  { at, protocol, ordinal }: Pick<LedgerEntry, 'at' | 'protocol'> & { ordinal: number },
): LedgerEntry => ({ at, protocol, anchor: anchorOf(ordinal, text, calls), responseId, continuesAs, hidden })

/** Providers refuse calls in a history that comes without any tool. */
const withoutCalls = (round: HiddenRound): HiddenRound => ({
  ...round,
  hidden: { ...round.hidden, filler: false, calls: [], results: [] },
})

/** The declarations in a list of tools, and the names and aliases of their calls. */
interface ListFacts {
  declarations: readonly FrozenTool['declaration'][]
  words: readonly string[]
  names: ReadonlySet<string>
}

const noTools: readonly FrozenTool[] = []
const noNames: ReadonlySet<string> = new Set()
const isWithin = (names: HiddenNames, others: HiddenNames): boolean => [...names].every((name) => others.has(name))

/** True for turns, and for requests beside them that carry the session's own list: their cached prefix is the same. */
function carriesTools({ call, identity, ownAnswer }: Turn): boolean {
  if (call.endpoint === 'compact' || call.internal || call.test || ownAnswer !== null) return false
  return identity.kind !== 'subagent' && identity.kind !== 'title'
}

export const viewOf = ({ call, identity, draft }: Turn): TurnView => ({
  requestId: call.requestId,
  sessionId: identity.sessionId,
  scope: identity.scope,
  terminalId: identity.terminalId,
  client: identity.client,
  entry: call.entry,
  kind: identity.kind,
  model: draft.lens.model,
})

/**
 * Puts back what the provider saw and the client did not, each at the answer it belongs to, so that the provider sees
 * one unchanging history. A session without any costs one look. `continued`: `previous_response_id` has been translated
 * already.
 * @returns how many answers the client's history holds; null: not counted
 */
async function restoreHistory(
  turn: Writing<'draft'>,
  sessionId: string,
  { ledger, log, continued }: { ledger: Ledger; log: Log; continued: boolean },
): Promise<number | null> {
  const { call, identity } = turn
  if (!ledger.mayHave(sessionId)) return null
  try {
    const entries = await ledger.of(sessionId, call.entry)
    if (entries.length === 0) return null
    const serverTools = serverToolCodecOf(call.entry)
    const { lens } = turn.draft
    const answers = serverTools.turns(lens)
    const { found, lost } = matchEntries(entries, answers)
    const edits = found.flatMap(({ entry, turn: answer }) => serverTools.restore(lens, answer, entry.hidden))
    turn.draft = rewritten(turn.draft, edits)
    const previous = lens.value('previous_response_id')
    const kept = (lens.value('conversation') ?? null) !== null
    if (typeof previous === 'string' && !continued) {
      const named = entries.findLast(({ responseId }) => responseId === previous)
      if (named) continueFrom(turn, { continuesAs: named.continuesAs ?? previous, results: named.hidden.results })
    } else if (kept) answerOpenCalls(turn, entries)
    // Where the provider keeps the history, or only part of it came, the rest is unknown.
    const isWhole =
      identity.kind === 'turn' && !identity.retry && answers.length > 0 && typeof previous !== 'string' && !kept
    if (isWhole && lost.length > 0) await ledger.forget(sessionId, lost)
    return answers.length
  } catch (error) {
    log.error(
      { requestId: call.requestId, error: messageOf(error) },
      'the hidden history of a session could not be put back; its request goes without',
    )
    return null
  }
}

/**
 * In a conversation that the provider keeps, the client's results identify the answer whose hidden calls wait for
 * theirs.
 */
function answerOpenCalls(turn: Turn, entries: readonly LedgerEntry[]): void {
  const open = entries.findLast(
    ({ hidden, anchor }) =>
      hidden.results.length > 0 && anchor.calls.some((id) => turn.draft.lens.body.includes(JSON.stringify(id))),
  )
  if (open?.responseId) continueFrom(turn, { continuesAs: open.responseId, results: open.hidden.results })
}

/** How many lists of tools are remembered, and how many bytes they may take together. */
const mostLists = 16
const mostBytes = 2 * 1024 * 1024

/** A list without any of these words as a string of its own. */
interface KnownList {
  list: Buffer
  words: string
}

/**
 * Returns a function that is true if a list of declared tools holds any of these words as a JSON string. Agents send
 * the same long list with every request, and searching it costs more than a comparison: lists without the words are
 * remembered.
 */
export function createKnownLists(): (list: Buffer, words: readonly string[]) => boolean {
  /** the last one first */
  let without: readonly KnownList[] = []
  return (list, words) => {
    const asked = words.join('\0')
    const known = without.find((one) => one.words === asked && one.list.equals(list))
    if (known) {
      if (known !== without[0]) without = [known, ...without.filter((one) => one !== known)]
      return false
    }
    if (tokenScan(words)(list)) return true
    // One that is too long would push all others out. A copy: the list is part of a body, which would stay in memory.
    if (list.length <= mostBytes) without = withinLimits([{ list: Buffer.from(list), words: asked }, ...without])
    return false
  }
}

function withinLimits(lists: readonly KnownList[]): readonly KnownList[] {
  let bytes = 0
  const tooMany = lists.findIndex(({ list }, i) => i === mostLists || (bytes += list.length) > mostBytes)
  return tooMany < 0 ? lists : lists.slice(0, tooMany)
}

/** The provider's side of a response that was made of several rounds. */
export interface Continuation {
  /** the last round's id; the client has the first's, since one response has one id */
  continuesAs: string
  /** results of hidden calls that the provider still waits for */
  results: readonly string[]
}

/**
 * Responses whose id means something else to the provider than to the client, for clients that name the previous one
 * (`previous_response_id`). In memory for all; a session's ledger keeps its own.
 */
export interface ResponseIds {
  note(clientId: string, continuation: Continuation): void
  of(clientId: string): Continuation | null
}

const most = 2_000

function createResponseIds(): ResponseIds {
  const known = new Map<string, Continuation>()
  return {
    note(clientId, continuation) {
      putNewest(known, clientId, continuation, most)
    },
    of: (clientId) => known.get(clientId) ?? null,
  }
}

/**
 * Lets a request go on from where the provider really is: with its id for the response, and the results it waits for.
 */
function continueFrom(turn: Writing<'draft'>, { continuesAs, results }: Continuation): void {
  const { lens } = turn.draft
  const at = lens.place('previous_response_id')
  const renamed =
    at && lens.value('previous_response_id') !== continuesAs
      ? [{ ...at, replacement: JSON.stringify(continuesAs) }]
      : []
  const added = results.length === 0 ? [] : (serverToolCodecOf(lens.protocol).resultsFor?.(lens, results) ?? [])
  turn.draft = rewritten(turn.draft, [...renamed, ...added])
}
