import type { Language } from '../../../shared/words.ts'
import { emitter, type Emitter } from '../base/disposable.ts'
import type { EngineHost } from '../host.ts'
import { openFoundation, type Foundation } from './foundation.ts'
import { createKnownSecrets, withoutSecrets, type KnownSecrets } from './known-secrets.ts'
import { languageOf } from './views/status.ts'

/** The base from which every part of the engine is put together. */
export interface EngineContext {
  /** its log shows no secret */
  host: EngineHost
  base: Foundation
  secrets: KnownSecrets
  language(): Language
  /** epoch milliseconds */
  startedAt: number
  /** @param what how the log names a listener that throws */
  events<T>(what: string): Emitter<T>
}

/** @throws OnwardError as `openFoundation` does */
export async function openContext(given: EngineHost, port: number | null): Promise<EngineContext> {
  const secrets = createKnownSecrets()
  const host = withoutSecrets(given, secrets)
  const base = await openFoundation(host, port, secrets)
  const systemLanguage = languageOf(host.env)
  return {
    host,
    base,
    secrets,
    language: () => base.config.current().language ?? systemLanguage,
    startedAt: host.clock.now(),
    events: (what) => emitter((error) => host.log.error({ err: error }, `a listener to ${what} failed`)),
  }
}
