import { faultOf } from '../../../shared/config/config-faults.ts'
import type { Config, ProviderConfig } from '../../../shared/config/schema.ts'
import { refusalOf } from '../../../shared/policy/apply.ts'
import type { ProviderTest } from '../../../shared/routing.ts'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { sentenceOfFault } from '../config/problem-of.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import type { Transport } from '../providers/types.ts'
import { splitTarget } from '../router/prepared.ts'
import { askFor, isAnswer } from './provider-test/ask-for.ts'
import { listModels, type ListedModels } from './provider-test/list-models.ts'
import { keysToTry, type TriedKey } from './provider-test/keys-to-try.ts'
import { whyNot } from './provider-test/why-not.ts'

export interface TestProviderDeps {
  config: Pick<ConfigHandle, 'current' | 'key'>
  /** the configured ones, or the built-in simulator */
  providers(): Readonly<Record<string, ProviderConfig>>
  ask: InternalCall
  transport: Transport
  clock: Clock
  version: string
}

const WITHIN_MS = 30_000

type Failed = Extract<ProviderTest, { kind: 'failed' }>

/**
 * A real, small call with each key in turn until one answers. @param alias only this key. @param wanted this model;
 * left out: the first that is known
 * @throws OnwardError `unknown-provider`
 */
export async function testProvider(
  id: string,
  deps: TestProviderDeps,
  alias?: string,
  wanted?: string,
): Promise<ProviderTest> {
  const providers = deps.providers()
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined
  if (!provider) throw unknownProvider(id)
  const held = heldProvider(id, provider, deps.config.current())
  if (held) return failed(held)
  if (provider.auth === 'client')
    return failed({
      code: 'client-login',
      message:
        `${id} takes the login of the client that asks. Onward has ` +
        'none of its own to test it with: ask it with a client.',
    })
  const model = wanted ?? modelToAsk(id, deps.config.current(), provider)
  const keys = keysToTry(id, provider, deps.config).filter((key) => alias === undefined || aliasOf(key) === alias)
  let last: Failed | null = null
  for (const key of keys) {
    if ('why' in key) {
      last = failed({
        key: key.alias,
        model,
        code: 'key-missing',
        message: `The key “${key.alias}” has no value: ${key.why}.`,
      })
      continue
    }
    const result =
      model === null ? await byList(id, provider, key.key, deps) : await byCall(id, provider, model, key.key, deps)
    if (result.kind === 'answered') return result
    last = result
  }
  return last ?? failed({ model, code: 'key-missing', message: noKey(id, alias) })
}

export const unknownProvider = (id: string): OnwardError =>
  new OnwardError('unknown-provider', `There is no provider “${id}” in the config.`, { status: 404 })

/** The list of its models is asked for beside the router, so that its address is held here as well. */
export function heldProvider(id: string, provider: ProviderConfig, { held }: Pick<Config, 'held'>) {
  const by = refusalOf(held, id, provider, null)
  if (!by) return null
  const message = sentenceOfFault(faultOf('held-provider', { provider: id, by: by.organisation ?? '' }))
  return { status: null, code: 'held-by-policy', message }
}

const noKey = (id: string, alias: string | undefined): string =>
  alias === undefined ? `${id} has no key. Add one to its keys.` : `${id} has no key “${alias}”.`

const aliasOf = (tried: ReturnType<typeof keysToTry>[number]): string | null =>
  'why' in tried ? tried.alias : (tried.key?.alias ?? null)

/** The first it lists, else one that a route or an alias sends there; null: none is known. */
function modelToAsk(id: string, config: Config, provider: ProviderConfig): string | null {
  const [listed] = Object.keys(provider.models)
  if (listed !== undefined) return listed
  if (provider.type === 'simulator') return 'simulator'
  const targets = [
    ...Object.values(config.routes)
      .flat()
      .map((entry) => (typeof entry === 'string' ? entry : entry.target)),
    ...Object.values(config.aliases),
  ]
  for (const text of targets) {
    const target = splitTarget(text, config.providers)
    if (target?.providerId === id) return target.model
  }
  return null
}

async function byCall(
  id: string,
  provider: ProviderConfig,
  model: string,
  key: TriedKey,
  deps: TestProviderDeps,
): Promise<ProviderTest> {
  const listing = listModels(id, provider, key, deps)
  const { entry, path, body } = askFor(id, provider, model)
  const answer = await deps.ask({
    entry,
    path,
    body,
    kind: 'probe',
    test: { key: key?.alias ?? null },
    withinMs: WITHIN_MS,
  })
  const listed = await listing
  if (answer.error === null && answer.status !== null && answer.status < 300) {
    if (isAnswer(entry, answer.body))
      return {
        kind: 'answered',
        model,
        key: key?.alias ?? null,
        ttfbMs: Math.round(answer.headAfterMs ?? answer.tookMs),
        tookMs: Math.round(answer.tookMs),
        models: listed.models,
      }
    return failed({
      model,
      key: key?.alias ?? null,
      status: answer.status,
      code: 'no-answer',
      message:
        `What answered is no ${provider.type} model (` +
        `${answer.contentType || 'no content type'}). Check its type and baseUrl.`,
      tookMs: answer.tookMs,
    })
  }
  return failed({
    model,
    key: key?.alias ?? null,
    tookMs: answer.tookMs,
    ...whyNot(id, model, key, answer, listed.models),
  })
}

/** If no model is known, a list of models at least shows that address and key are right. */
async function byList(
  id: string,
  provider: ProviderConfig,
  key: TriedKey,
  deps: TestProviderDeps,
): Promise<ProviderTest> {
  const listed: ListedModels = await listModels(id, provider, key, deps)
  if (listed.error === null && listed.status === 200 && listed.models.length > 0)
    return {
      kind: 'answered',
      model: '',
      key: key?.alias ?? null,
      ttfbMs: Math.round(listed.headAfterMs ?? listed.tookMs),
      tookMs: Math.round(listed.tookMs),
      models: listed.models,
    }
  const why =
    listed.status === 200
      ? {
          status: 200,
          code: 'no-models',
          message: `${id} lists no models, and the config names none for it. Add one to its models.`,
        }
      : listed.status === 404
        ? {
            status: 404,
            code: 'no-models',
            message:
              `${id} keeps no list of models (404), and the config names ` +
              'none for it. Add one to its models, and check its baseUrl.',
          }
        : whyNot(id, null, key, listed, [])
  return failed({ key: key?.alias ?? null, tookMs: listed.tookMs, ...why })
}

const failed = (why: Partial<Failed> & { code: string; message: string }): Failed => ({
  kind: 'failed',
  model: null,
  key: null,
  status: null,
  ...why,
  tookMs: Math.round(why.tookMs ?? 0),
})
