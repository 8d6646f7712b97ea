import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { serverToolCodecOf, type HiddenNames } from '../../protocol/server-tools.ts'
import type { RequestLens } from '../../protocol/types.ts'
import { createToolRounds, type ToolRounds, type ToolRoundsDeps } from '../../servertools/tool-rounds/tool-rounds.ts'
import { anchorOf, type LedgerEntry } from '../../servertools/ledger/entry.ts'
import type { Ledger } from '../../servertools/ledger/ledger.ts'
import type { Registry } from '../../servertools/registry.ts'
import type { FrozenTool, ToolLists } from '../../servertools/tool-lists.ts'
import type { TurnView } from '../../servertools/types.ts'
import type { HiddenRound } from './hidden-history.ts'
import { createKnownLists } from './known-lists.ts'
import { createResponseIds, continueFrom } from './response-ids.ts'
import { restoreHistory } from './restore-history.ts'
import type { Turn } from '../turn.ts'

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
  begin(turn: Turn): Promise<BegunTurn | null>
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
    const list = listFor(deps, turn)
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

function listFor({ listOf, setList, lists, registry }: TurnToolsDeps, turn: Turn): readonly FrozenTool[] {
  const { sessionId, kind } = turn.identity
  const name = sessionId === null ? null : listOf(sessionId)
  const frozen = name === null ? null : lists.get(name)
  if (frozen) return frozen
  if (kind !== 'turn') return noTools
  const kept = lists.keep(registry.offered(viewOf(turn)))
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
