import type { Config } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import { providersOf } from '../router/prepared.ts'
import { providerProtocol } from '../router/provider-protocol.ts'
import { splitTarget } from '../router/target.ts'

/** The protocol of the model that is to search; of the route `webSearch` that of its first. */
export function searchProtocol(target: string | null, config: Config): EntryProtocol {
  const providers = providersOf(config)
  const [first] = config.routes.webSearch ?? []
  const named = target ?? (typeof first === 'string' ? first : first?.target) ?? ''
  const type = providers[splitTarget(named, providers)?.providerId ?? '']?.type
  return (type && providerProtocol(type)) ?? 'chat'
}
