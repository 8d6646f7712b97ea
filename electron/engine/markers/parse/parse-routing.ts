import { invalid, shorten } from './invalid.ts'
import type { Command, InvalidCommand, KnownTargets, RoutingTarget } from '../types.ts'

/** Same signs as a provider id of the config may have (shared/config/schema.ts). */
const providerId = /^[A-Za-z0-9_-]+$/

/** Reads a marker without a name: `!…`, `#…`, `@…`, a provider, or a provider and its model. */
export function parseRouting(body: string, known: KnownTargets): Command {
  const text = body.trim()
  if (text === '') return invalid('empty', 'There is nothing between the signs of this marker.')
  const rest = text.slice(1).trim()
  if (text.startsWith('!')) return parsePreference(rest, known)
  if (text.startsWith('#') || text.startsWith('@')) {
    const target = readTarget(rest, known)
    if (target.kind === 'invalid') return target
    return { kind: text.startsWith('#') ? 'routing-disable' : 'routing-enable', target }
  }
  return parseBare(text, known)
}

/** `!p1,p2` allows only these providers, `!p.model` prefers a model. */
function parsePreference(rest: string, known: KnownTargets): Command {
  const names = rest.split(/[,，]/).map((name) => name.trim())
  const [only] = names
  if (names.length === 1 && only?.includes('.')) {
    const target = readModel(only, known)
    return target.kind === 'model' ? { kind: 'routing-prefer', provider: target.provider, model: target.model } : target
  }
  for (const name of names) {
    const refused = refuseProvider(name, known)
    if (refused) return refused
  }
  return { kind: 'routing-allow', providers: [...new Set(names)] }
}

function parseBare(text: string, known: KnownTargets): Command {
  if (text.includes('.')) {
    const target = readModel(text, known)
    return target.kind === 'model' ? { kind: 'routing-force', provider: target.provider, model: target.model } : target
  }
  return refuseProvider(text, known) ?? { kind: 'routing-allow', providers: [text] }
}

/** `p`, `p.model`, `p.2`, `p[alias]`. */
function readTarget(text: string, known: KnownTargets): RoutingTarget | InvalidCommand {
  const byAlias = /^([^.[\]]+)\[([^[\]]+)\]$/.exec(text)
  if (byAlias) return readKey(byAlias[1] ?? '', byAlias[2] ?? '', known)
  if (!text.includes('.')) return refuseProvider(text, known) ?? { kind: 'provider', provider: text }
  const { provider, rest } = splitAtDot(text)
  if (/^[1-9][0-9]{0,5}$/.test(rest) && (known.isKey(provider, Number(rest)) || !known.isModel(provider, rest)))
    return readKey(provider, Number(rest), known)
  return readModel(text, known)
}

function readKey(provider: string, key: string | number, known: KnownTargets): RoutingTarget | InvalidCommand {
  const refused = refuseProvider(provider, known)
  if (refused) return refused
  if (!known.isKey(provider, key))
    return invalid(
      'unknown-key',
      `Provider “${provider}” has no key ${typeof key === 'number' ? `number ${key}` : `“${shorten(key)}”`}.`,
    )
  return { kind: 'key', provider, key }
}

function readModel(text: string, known: KnownTargets): Extract<RoutingTarget, { kind: 'model' }> | InvalidCommand {
  const { provider, rest: model } = splitAtDot(text)
  const refused = refuseProvider(provider, known)
  if (refused) return refused
  if (!/^[^\s\p{Cc}<>"“”]+$/u.test(model))
    return invalid('bad-target', 'A model name follows the dot, without spaces and quotes.')
  if (!known.isModel(provider, model))
    return invalid('unknown-model', `Provider “${provider}” has no model “${shorten(model)}”.`)
  return { kind: 'model', provider, model }
}

function refuseProvider(name: string, known: KnownTargets): InvalidCommand | null {
  if (!providerId.test(name))
    return invalid('bad-target', `“${shorten(name)}” is no command Onward knows and can't be a provider.`)
  return known.isProvider(name) ? null : invalid('unknown-provider', `There is no provider “${shorten(name)}”.`)
}

/** Model names may hold dots themselves, provider ids can't. */
function splitAtDot(text: string): { provider: string; rest: string } {
  const dot = text.indexOf('.')
  return { provider: text.slice(0, dot), rest: text.slice(dot + 1) }
}
