import { createRedactor, type Redactor } from '../base/redact.ts'
import { textsOf } from '../base/local-keys.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { secretsIn } from '../providers/request-headers.ts'

/** A terminal's key is kept as a hash only, so it is recognised by its form (sessions/binding/find-terminal.ts). */
const terminalKeys = 'owk_[A-Za-z0-9_-]{20,}'

/** All secrets that this engine knows, to take them out of everything it writes down, shows and says. */
export interface KnownSecrets {
  /** until this is called no secret is known */
  follow(config: ConfigHandle, token: string): void
  now(): Redactor
  /** the same, with the secrets in one request's headers */
  with(requestHeaders: Readonly<Record<string, string>>): Redactor
}

export function createKnownSecrets(): KnownSecrets {
  let list: () => readonly string[] = () => []
  let current: Redactor | null = null
  return {
    follow(config, token) {
      list = () => [token, ...secretsOf(config.current(), config.key)]
      current = null
      config.onChange(() => {
        current = null
      })
    },
    now: () => (current ??= createRedactor(list(), [terminalKeys])),
    with: (requestHeaders) => createRedactor([...list(), ...secretsIn(requestHeaders)], [terminalKeys]),
  }
}

function secretsOf(config: Config, keyOf: ConfigHandle['key']): string[] {
  const { webSearch } = config.servertools
  const outside = config.notifications.outside.flatMap(({ url, token }) => [url, token])
  return [
    ...textsOf(config.server.keys),
    ...Object.entries(config.providers).flatMap(([id, provider]) => [
      ...provider.keys.flatMap(({ alias }) => {
        const key = keyOf(id, alias)
        return key.ok ? [key.value] : []
      }),
      ...secretsIn(provider.headers),
    ]),
    ...outside.filter((secret) => secret !== undefined),
    ...(webSearch.engine && 'key' in webSearch.engine ? [webSearch.engine.key] : []),
  ]
}

/** The host as the engine uses it: neither its log nor its notices contain a secret. */
export const withoutSecrets = (host: EngineHost, secrets: KnownSecrets): EngineHost => ({
  ...host,
  log: quietLog(host.log, secrets),
  notify: (notice) => host.notify(secrets.now().value(notice)),
})

function quietLog(log: Log, secrets: KnownSecrets): Log {
  const { value, text } = { value: <T>(v: T): T => secrets.now().value(v), text: (t: string) => secrets.now().text(t) }
  return {
    debug: (fields, message) => log.debug(value(fields), text(message)),
    info: (fields, message) => log.info(value(fields), text(message)),
    warn: (fields, message) => log.warn(value(fields), text(message)),
    error: (fields, message) => log.error(value(fields), text(message)),
    child: (fields) => quietLog(log.child(value(fields)), secrets),
  }
}
