import type { Language } from '../../../shared/words.ts'
import { emitter, type Emitter } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import { callersKeys, textsOf } from '../base/network/local-keys.ts'
import type { Log } from '../base/log.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { gate, type Gate } from '../base/work.ts'
import { nodeConfigFiles, nodeSecretFiles } from '../config/node-files.ts'
import { fleetPolicy, type FleetPolicy } from '../config/policy/fleet-policy.ts'
import { openConfig } from '../config/open.ts'
import { secretsFile } from '../config/secrets-file.ts'
import type { ConfigFiles, ConfigHandle } from '../config/types.ts'
import { writeSchema } from '../config/write-schema.ts'
import { ensureControlToken } from '../control/token.ts'
import type { EngineHost } from '../host.ts'
import { secretsIn } from '../providers/headers.ts'
import { createCaptures, type Captures } from '../records/captures.ts'
import { createTimeline, type Timeline } from '../records/timeline.ts'
import { createTurnRecords, type TurnRecords } from '../records/turn-records.ts'
import { createKeptSecrets, type KeptSecrets } from '../secrets/kept-secrets.ts'
import { withPushKeys } from '../notifications/push/keys.ts'
import { noKeychain } from '../secrets/keychain.ts'
import { sweepTemps } from '../secrets/sweep-temps.ts'
import { collectorHeaders, secretsOfHeaders } from '../telemetry/collector-headers.ts'
import { createPaneLookup, type PaneLookup, type PaneSource } from '../sessions/binding/pane-lookup.ts'
import { createSessionStore, type SessionStore } from '../sessions/session-store.ts'
import { createStore, type StoreProblem } from '../store/create-store.ts'
import { claimHomeFormat } from '../store/home-format.ts'
import { openJournal } from '../store/read-journal.ts'
import { lockHome, openRoot, sessionRoot } from '../store/root.ts'
import type { Store } from '../store/types.ts'
import { freePort } from './own-port.ts'
import { languageOf } from './views/status.ts'

/** Config, disk, records and the session folder, which everything else needs. */
export interface Foundation {
  config: ConfigHandle
  fleetPolicy: FleetPolicy
  /** the person's own files, and those of their agents */
  personsFiles: ConfigFiles
  secrets: KeptSecrets
  token: string
  address: { host: string; port: number }
  /** folder of sessions and everything kept of them, absolute */
  root: string
  store: Store
  timeline: Timeline
  records: TurnRecords
  captures: Captures
  sessions: SessionStore
  /** opened when the engine listens: thousands of records and sessions are read after that */
  reading: Gate
  paneLookup(panes: PaneSource): { panes: PaneLookup }
  /** writes everything to the disk; what can't be written is logged */
  flush(): Promise<void>
  dispose(): Promise<void>
}

async function openFoundation(host: EngineHost, wantedPort: number | null, known: KnownSecrets): Promise<Foundation> {
  const { clock, log, random, files, env, home } = host
  const homeLock = await lockHome({ home, files, clock })
  await claimHomeFormat({ home, files, version: host.version }).catch(async (error: unknown) => {
    await homeLock.release()
    throw error
  })
  const token = await ensureControlToken(home, random)
  const keychain = host.keychain ?? noKeychain('off')
  // A leftover that can't be removed must not keep the engine from starting.
  await sweepTemps(home, files, clock).catch((error: unknown) =>
    log.warn({ error: messageOf(error) }, 'a file that an earlier engine left unfinished could not be removed'),
  )
  const file = secretsFile(home, nodeSecretFiles())
  const naming = () => withPushKeys(config.naming())
  const secrets = createKeptSecrets({ home, files, file, keychain, random, naming, clock, log })
  const personsFiles = nodeConfigFiles()
  const forgotten = (text: string) => void secrets.sweep(text)
  const ofFleet = fleetPolicy(home, files)
  const policies = [...(host.policies ?? []), ofFleet.source]
  const sources = { files: personsFiles, env, clock, log, secret: secrets.get, policies }
  const config = await openConfig({ home, ...sources, forgotten })
  known.follow(config, token)
  // The keychain is unlocked: its keys count from now on, and work that waited for it is done.
  const back = keychain.onBack(() => {
    void config.reload()
    void secrets.resume()
  })
  // Now nothing can be undone yet and no secret is stored: one without a reference now will never get one.
  const resumed = Promise.all([secrets.sweep(), secrets.resume()])
  writeSchema(home, files).catch((error: unknown) =>
    log.warn({ error: messageOf(error) }, 'the config’s schema could not be written'),
  )
  const server = config.current().server
  const port = wantedPort ?? server.port
  const address = { host: server.host, port: port === 0 ? await freePort(server.host, random.fraction) : port }
  const root = sessionRoot(env, home, address.host, address.port)
  const lock = await openRoot({ root, files, clock }).catch(async (error: unknown) => {
    // Otherwise a second try would find that this very process holds the home.
    back.dispose()
    config.dispose()
    await homeLock.release()
    throw error
  })
  // Keeps problems that the store finds before there is a timeline.
  const early: StoreProblem[] = []
  let tell = (problem: StoreProblem) => {
    early.push(problem)
  }
  const onProblem = (problem: StoreProblem) => tell(problem)
  const journal = await openJournal({ root, files, clock, onProblem })
  const store = createStore({ root, files, clock, log, journal, onProblem })
  const reading = gate()
  const timeline = await createTimeline({
    clock,
    random,
    files,
    log,
    root,
    redactor: known.now,
    readFrom: reading.opened,
  })
  tell = (problem) => timeline.record({}, { type: 'store-problem', ...problem })
  for (const problem of early) tell(problem)
  const records = await createTurnRecords({
    files,
    store,
    clock,
    log,
    root,
    redactor: known.now,
    readFrom: reading.opened,
  })
  const captures = createCaptures({ root, clock, record: timeline.record })
  const sessions = createSessionStore({ store, clock, log })
  /** one after the other, so that a part that fails does not keep the others from the disk */
  const flush = async () => {
    for (const part of [captures, sessions, records, timeline, store]) {
      await part
        .flush()
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'something could not be written'))
    }
  }
  return {
    config,
    fleetPolicy: ofFleet,
    personsFiles,
    secrets,
    token,
    address,
    root,
    store,
    timeline,
    records,
    captures,
    sessions,
    reading,
    paneLookup: (panes) => ({ panes: createPaneLookup({ panes, clock, log }) }),
    flush,
    async dispose() {
      await flush()
      // Entries that stay in it are left for the next start.
      await journal
        .close()
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the journal stays for the next start'))
      sessions.dispose()
      records.dispose()
      config.dispose()
      back.dispose()
      secrets.dispose()
      keychain.dispose()
      await resumed
      // A lock that can't be released is void once this process has ended.
      for (const held of [lock, homeLock])
        await held
          .release()
          .catch((error: unknown) => log.error({ error: messageOf(error) }, 'a lock could not be given back'))
    },
  }
}

/** A terminal's key is kept as a hash only, so it is recognised by its form (sessions/binding/find-terminal.ts). */
const terminalKeys = 'owk_[A-Za-z0-9_-]{20,}'

/** All secrets that this engine knows, to take them out of everything it writes down, shows and says. */
interface KnownSecrets {
  /** until this is called no secret is known */
  follow(config: ConfigHandle, token: string): void
  now(): Redactor
  /** the same, with the secrets in one request's headers */
  with(requestHeaders: Readonly<Record<string, string>>): Redactor
}

function createKnownSecrets(): KnownSecrets {
  let list: () => readonly string[] = () => []
  let current: Redactor | null = null
  return {
    follow(config, token) {
      list = () => [token, ...secretsOf(config)]
      current = null
      config.onChange(() => {
        current = null
      })
    },
    now: () => (current ??= createRedactor(list(), [terminalKeys])),
    with: (requestHeaders) => createRedactor([...list(), ...secretsIn(requestHeaders)], [terminalKeys]),
  }
}

function secretsOf({ current, key: keyOf, stored }: ConfigHandle): string[] {
  const config = current()
  const { webSearch } = config.servertools
  const outside = config.notifications.outside.flatMap(({ url, token }) => [url, token])
  return [
    ...textsOf(callersKeys(config)),
    ...Object.entries(config.providers).flatMap(([id, provider]) => [
      ...provider.keys.flatMap(({ alias }) => {
        const key = keyOf(id, alias)
        return key.ok ? [key.value] : []
      }),
      ...secretsIn(provider.headers),
    ]),
    ...outside.filter((secret) => secret !== undefined),
    ...(webSearch.engine && 'key' in webSearch.engine ? [webSearch.engine.key] : []),
    ...textsOf(config.telemetry.metricsKeys),
    ...secretsOfHeaders(collectorHeaders(config.telemetry, stored)),
  ]
}

/** The host as the engine uses it: neither its log nor its notices contain a secret. */
const withoutSecrets = (host: EngineHost, secrets: KnownSecrets): EngineHost => ({
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
