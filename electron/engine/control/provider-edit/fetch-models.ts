import type { ProviderConfig, ProviderType } from '../../../../shared/config/schema.ts'
import type { ListedModel, ProviderModels } from '../../../../shared/control/provider-edit.ts'
import { keysToTry, type TriedKey } from '../provider-test/keys-to-try.ts'
import { listModels } from '../provider-test/list-models.ts'
import { heldProvider, unknownProvider, type TestProviderDeps } from '../test-provider.ts'
import { whyNot } from '../provider-test/why-not.ts'
import { readModelList } from './read-model-list.ts'

type Failed = Extract<ProviderModels, { kind: 'failed' }>

/** With 1 000 on a page, more than this is a list that never ends. */
const MOST_PAGES = 20

/**
 * Lists all models of a provider, asking with each key in turn until one is accepted. A redirect is not followed,
 * because the key is for this address. @throws OnwardError `unknown-provider`
 */
export async function fetchModels(id: string, deps: Omit<TestProviderDeps, 'ask'>): Promise<ProviderModels> {
  const providers = deps.providers()
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined
  if (!provider) throw unknownProvider(id)
  const held = heldProvider(id, provider, deps.config.current())
  if (held) return failed(null, held)
  if (provider.auth === 'client')
    return failed(null, {
      status: null,
      code: 'client-login',
      message:
        `${id} takes the login of the client that asks, and Onward ` +
        'has none of its own: write its models in by hand.',
    })
  let last: Failed | null = null
  for (const tried of keysToTry(id, provider, deps.config)) {
    if ('why' in tried) {
      const message = `The key “${tried.alias}” has no value: ${tried.why}.`
      last = failed(tried.alias, { status: null, code: 'key-missing', message })
      continue
    }
    const result = await allPages(id, provider, tried.key, deps)
    if (result.kind === 'listed') return result
    last = result
    // If the key was not the reason, another key changes nothing.
    if (result.code !== 'key-refused' && result.code !== 'limit') return result
  }
  return last ?? failed(null, { status: null, code: 'key-missing', message: `${id} has no key. Add one to its keys.` })
}

async function allPages(
  id: string,
  provider: ProviderConfig,
  key: TriedKey,
  deps: Omit<TestProviderDeps, 'ask'>,
): Promise<ProviderModels> {
  const alias = key?.alias ?? null
  const models = new Map<string, ListedModel>()
  const cursors = new Set<string>()
  let tookMs = 0
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await listModels(id, provider, key, deps, pathOf(provider.type, cursor))
    tookMs += answer.tookMs
    if (answer.error !== null || answer.status !== 200) return failed(alias, whyNone(id, key, answer))
    const read = readModelList(answer.body)
    if (!read)
      return failed(alias, {
        status: 200,
        code: 'no-list',
        message: `What ${id} answered is no list of models. Check its type and base URL.`,
      })
    for (const model of read.models) models.set(model.id, model)
    cursor = read.next
    if (cursor === null || cursors.has(cursor)) break
    cursors.add(cursor)
  }
  return {
    kind: 'listed',
    key: alias,
    tookMs: Math.round(tookMs),
    whole: cursor === null,
    models: [...models.values()],
  }
}

/** Anthropic and Gemini hand out pages; OpenAI and those who copied it send the whole list at once. */
function pathOf(type: ProviderType, cursor: string | null): string {
  const after = (name: string) => (cursor === null ? '' : `&${name}=${encodeURIComponent(cursor)}`)
  switch (type) {
    case 'anthropic':
      return `/v1/models?limit=1000${after('after_id')}`
    case 'gemini':
      return `/v1beta/models?pageSize=1000${after('pageToken')}`
    default:
      return cursor === null ? '/v1/models' : `/v1/models?after=${encodeURIComponent(cursor)}`
  }
}

function whyNone(
  id: string,
  key: TriedKey,
  answer: Awaited<ReturnType<typeof listModels>>,
): Omit<Failed, 'kind' | 'key'> {
  const { status } = answer
  if (answer.error === null && status === 404)
    return { status, code: 'no-list', message: `${id} keeps no list of models (404). Write them in by hand.` }
  if (answer.error === null && status !== null && status >= 300 && status < 400)
    return {
      status,
      code: 'redirected',
      message:
        `${id} sends to another address (${status}), where its key ` +
        'does not go. Put the right address into its base URL.',
    }
  return whyNot(id, null, key, answer, [])
}

const failed = (key: string | null, why: Omit<Failed, 'kind' | 'key'>): Failed => ({ kind: 'failed', key, ...why })
