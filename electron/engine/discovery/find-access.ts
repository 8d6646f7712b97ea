import { sep } from 'node:path'
import { fromCcSwitch } from './sources/cc-switch.ts'
import { fromClaudeCodeRouter } from './sources/claude-code-router.ts'
import { fromClaude } from './sources/claude.ts'
import { fromCodex } from './sources/codex.ts'
import { fromEnv } from './sources/env.ts'
import { fromGemini } from './sources/gemini.ts'
import { fromOpencode } from './sources/opencode.ts'
import { fromQwen } from './sources/qwen.ts'
import type { Found, DiscoveryContext, Source } from './types.ts'
import { providerText } from './written.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { AccessUse, FoundAccess } from '../../../shared/setup/first-run.ts'
import { sameAddress } from './vendor.ts'

/** A provider of the config, as far as it says whether something found is in use already. */
export interface UsedProvider {
  id: string
  baseUrl: string | null
  auth: 'key' | 'client' | 'none'
  /** values of its keys: compared, never shown */
  keys: readonly string[]
}

export interface FoundWithId extends Found {
  /** the same for the same thing in the same place, as long as nothing before it changes */
  id: string
}

/** Everything on this machine that leads to models; the same key at the same address counts once. */
export async function findAccess(context: DiscoveryContext): Promise<readonly FoundWithId[]> {
  const all = (await Promise.all(sourcesInOrder.map((source) => source(context)))).flat()
  const once: FoundWithId[] = []
  for (const found of all) {
    const twin = once.find((other) => isSame(other, found))
    if (twin) continue
    const name = `${found.tool}:${found.vendor?.id ?? found.name ?? ''}:${found.credential.kind}`
    const before = once.filter(({ id }) => id === name || id.startsWith(`${name}:`)).length
    once.push({ ...found, id: before === 0 ? name : `${name}:${before + 1}` })
  }
  return once
}

function isSame(a: Found, b: Found): boolean {
  if (a.vendor && b.vendor && !sameAddress(a.vendor.baseUrl, b.vendor.baseUrl)) return false
  const [one, other] = [a.credential, b.credential]
  if ('value' in one && 'value' in other) return one.value === other.value && a.vendor?.type === b.vendor?.type
  return one.kind === other.kind && one.kind === 'login'
}

/** The view for a person: the place, the kind and what it would be used for; nothing of a key itself. */
export function accessView(found: FoundWithId, home: string, used: readonly UsedProvider[]): FoundAccess {
  const { id, tool, where, vendor } = found
  return {
    id,
    tool,
    where: homeRelative(where, home),
    name: vendor?.name ?? found.name ?? tool,
    baseUrl: vendor?.baseUrl ?? null,
    type: vendor?.type ?? null,
    use: useOf(found),
    writes: providerText(found),
    added: used.find((provider) => uses(provider, found))?.id ?? null,
  }
}

function useOf({ credential }: Found): AccessUse {
  switch (credential.kind) {
    case 'env':
      return { how: 'env', name: credential.name }
    case 'key':
      return { how: 'copy' }
    case 'login':
      return { how: 'login' }
    case 'none':
      return { how: 'none', why: credential.why }
  }
}

function uses(provider: UsedProvider, { vendor, credential }: Found): boolean {
  if (!vendor || provider.baseUrl === null || !sameAddress(provider.baseUrl, vendor.baseUrl)) return false
  if (credential.kind === 'login') return provider.auth === 'client'
  return 'value' in credential && provider.keys.includes(credential.value)
}

/**
 * If a key is found in two places, the first counts: a variable is named, where a key in a file would have to be
 * copied.
 */
const sourcesInOrder: readonly Source[] = [
  fromEnv,
  fromClaude,
  fromCodex,
  fromOpencode,
  fromGemini,
  fromQwen,
  fromClaudeCodeRouter,
  fromCcSwitch,
]

/** A path as a person writes it: their home is `~`. */
export const homeRelative = (path: string, home: string): string =>
  path === home ? '~' : path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path

/** Some provider takes what Claude Code signs its own calls with, so its launcher must not put a key in that place. */
export const keepsLogin = ({ providers }: Pick<Config, 'providers'>): boolean =>
  Object.values(providers).some(({ type, auth }) => type === 'anthropic' && auth === 'client')
