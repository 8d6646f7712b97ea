import type { ClientKind, RequestKind } from '../../../../shared/words.ts'
import { once } from '../../base/work.ts'
import { hasSign, profileOf } from '../clients/index.ts'
import { other } from '../clients/other.ts'
import type { KindCondition } from '../clients/profile.ts'
import type { RequestFacts } from '../types.ts'
import { firstOwn, leadText } from './person-text.ts'
import { turnMetadata } from './session-id.ts'

/** Characters of a system text that are searched. The longest sign stands within the first line. */
const systemLimit = 400

/** `ownThread`: a person does not know of the session it names */
export interface FoundKind {
  kind: RequestKind
  ownThread: boolean
  fromInbox: boolean
}

/**
 * Returns the kind of a request. Endpoint first, then the agent's own word, then its signs; then the looks of an
 * agent's side requests, whatever they are for.
 * @param lacksTools it carries none of the tools that its session's turns have
 */
export function requestKind(
  facts: RequestFacts,
  client: ClientKind,
  lacksTools: () => boolean = () => false,
): FoundKind {
  const { kinds, main, fromInbox } = profileOf(client)
  const parts = partsOf(facts, client)
  const found = (kind: RequestKind, ownThread = false): FoundKind => ({
    kind,
    ownThread,
    fromInbox: fromInbox !== undefined && holds(fromInbox, parts),
  })
  if (facts.endpoint === 'count') return found('count')
  if (facts.endpoint === 'compact') return found('compaction')
  if (main?.says && holds(main.says, parts)) return found('turn')
  const rule = (client === 'other' ? kinds : [...kinds, ...other.kinds]).find(({ when }) => holds(when, parts))
  if (rule) return found(rule.kind, rule.ownThread)
  if (!main) return found('turn')
  if (noTools(facts) ? wantsJson(facts) : mayCallNone(facts)) return found('aside')
  if (main.shows && holds(main.shows, parts)) return found('turn')
  const goesOn = main.toolsMayGo === true && facts.answerCount() > 0
  return found(!goesOn && lacksTools() ? 'aside' : 'turn')
}

/** The parts of a request that rules ask for, each fetched once and only when asked for. */
interface RequestParts {
  facts: RequestFacts
  metadata(): Readonly<Record<string, unknown>> | null
  user(): string
  opening(): string
  systems(): readonly string[]
  leading(): readonly string[]
}

function partsOf(facts: RequestFacts, client: ClientKind): RequestParts {
  return {
    facts,
    metadata: once(() => turnMetadata(facts)),
    user: once(() => leadText(client, facts.lastUserTexts() ?? [])),
    opening: once(() => firstOwn(client, facts.lastUserTexts() ?? [])),
    systems: once(() => facts.systemTexts(systemLimit).map((text) => text.trimStart())),
    leading: once(() => facts.systemTexts(systemLimit, true).map((text) => text.trimStart())),
  }
}

function holds(when: KindCondition, { facts, metadata, user, opening, systems, leading }: RequestParts): boolean {
  const { header, turnMetadata: field, user: start, userHas, userIs, anyText, everSaid, system, systemHas, body } = when
  if (header && !hasSign(facts.headers, header)) return false
  if (field) {
    const value = metadata()?.[field.field]
    if (typeof value !== 'string' || ('is' in field ? value !== field.is : [field.not].flat().includes(value)))
      return false
  }
  if (when.opens !== undefined && !opening().startsWith(when.opens)) return false
  if (start !== undefined && !user().startsWith(start)) return false
  if (userHas !== undefined && !user().includes(userHas)) return false
  if (userIs !== undefined && user().trim() !== userIs) return false
  if (anyText !== undefined && !facts.lastUserTexts()?.some((text) => text.trimStart().startsWith(anyText)))
    return false
  if (everSaid !== undefined && !startsAny(facts.userTexts?.() ?? facts.firstUserTexts(), everSaid)) return false
  if (system !== undefined && !systems().some((text) => text.startsWith(system))) return false
  if (when.leads !== undefined && !leading().some((text) => text.startsWith(when.leads ?? ''))) return false
  if (systemHas !== undefined && !systems().some((text) => text.includes(systemHas))) return false
  if (when.noTools && !noTools(facts)) return false
  if (when.cached && facts.cached() !== when.cached) return false
  return !body || facts.value(...body.path) === body.is
}

function startsAny(texts: Iterable<string>, start: string): boolean {
  for (const text of texts) if (text.startsWith(start)) return true
  return false
}

const noTools = (facts: RequestFacts): boolean => (facts.toolCount() ?? 0) === 0

/** The members that ask for JSON as the whole answer: `type` says so, or that it is there. */
const jsonTypes = [['output_config', 'format'], ['output_format'], ['response_format'], ['text', 'format']]
const jsonMembers = ['responseSchema', 'responseJsonSchema', 'response_schema', 'response_json_schema']

const wantsJson = (facts: RequestFacts): boolean =>
  jsonTypes.some((path) => String(facts.value(...path, 'type')).startsWith('json')) ||
  jsonMembers.some((name) => facts.value('generationConfig', name) !== undefined)

/** Agents never give their main turns tools and forbid to call them. */
const mayCallNone = (facts: RequestFacts): boolean =>
  facts.value('tool_choice') === 'none' ||
  facts.value('tool_choice', 'type') === 'none' ||
  facts.value('toolConfig', 'functionCallingConfig', 'mode') === 'NONE'
