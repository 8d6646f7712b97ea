import type { ClientKind, RequestKind } from '../../../../shared/words.ts'
import { hasSign, profileOf } from '../clients/index.ts'
import type { KindCondition } from '../clients/profile.ts'
import { other } from '../clients/other.ts'
import { turnMetadata } from './codex-turn-metadata.ts'
import { leadText } from './person-text.ts'
import type { RequestFacts } from '../types.ts'

/** Characters of a system text that are looked at. The longest sign stands within the first line. */
const systemLimit = 400

/** `ownThread`: the session it names is none that a person knows of */
export interface FoundKind {
  kind: RequestKind
  ownThread: boolean
  fromInbox: boolean
}

/** What kind of request this is. Endpoint first, then the client's own signs; anything else is a turn. */
export function requestKind(facts: RequestFacts, client: ClientKind): FoundKind {
  if (facts.endpoint === 'count') return { kind: 'count', ownThread: false, fromInbox: false }
  if (facts.endpoint === 'compact') return { kind: 'compaction', ownThread: false, fromInbox: false }
  const parts = partsOf(facts, client)
  const rules = client === 'other' ? other.kinds : [...profileOf(client).kinds, ...other.kinds]
  const rule = rules.find(({ when }) => holds(when, parts))
  const { fromInbox } = profileOf(client)
  return {
    kind: rule?.kind ?? 'turn',
    ownThread: rule?.ownThread ?? false,
    fromInbox: fromInbox !== undefined && holds(fromInbox, parts),
  }
}

/** The parts of a request that rules ask for, each fetched once and only when asked for. */
interface RequestParts {
  facts: RequestFacts
  metadata(): Readonly<Record<string, unknown>> | null
  user(): string
  systems(): readonly string[]
}

function partsOf(facts: RequestFacts, client: ClientKind): RequestParts {
  const once = <T>(get: () => T) => {
    let held: { value: T } | null = null
    return () => (held ??= { value: get() }).value
  }
  return {
    facts,
    metadata: once(() => turnMetadata(facts)),
    user: once(() => leadText(client, facts.lastUserTexts() ?? [])),
    systems: once(() => facts.systemTexts(systemLimit).map((text) => text.trimStart())),
  }
}

function holds(when: KindCondition, { facts, metadata, user, systems }: RequestParts): boolean {
  const { header, turnMetadata: field, user: start, userHas, userIs, system, systemHas, noTools, body } = when
  if (header && !hasSign(facts.headers, header)) return false
  if (field) {
    const value = metadata()?.[field.field]
    if (typeof value !== 'string' || ('is' in field ? value !== field.is : value === field.not)) return false
  }
  if (start !== undefined && !user().startsWith(start)) return false
  if (userHas !== undefined && !user().includes(userHas)) return false
  if (userIs !== undefined && user().trim() !== userIs) return false
  if (system !== undefined && !systems().some((text) => text.startsWith(system))) return false
  if (systemHas !== undefined && !systems().some((text) => text.includes(systemHas))) return false
  if (noTools && (facts.toolCount() ?? 0) > 0) return false
  return !body || facts.value(...body.path) === body.is
}
