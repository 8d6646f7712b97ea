import type { RecordEvent } from '../../../shared/events.ts'
import { pause, type Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { serial } from '../base/work.ts'
import type { ConfigHandle } from '../config/types.ts'
import { collectorHeaders } from './collector-headers.ts'
import type { Sdk, SdkSettings, startSdk } from './sdk.ts'
import { targetOf, targetsOf } from './targets.ts'
import type { CollectorState, MetricsPage, TelemetrySources } from './types.ts'

export interface Telemetry {
  /** null: `/metrics` is not there */
  page(): MetricsPage | null
  /** null: nothing is sent anywhere */
  collector(): CollectorState | null
  /** resolves when what the config asks for now is running, or could not be started */
  begun(): Promise<void>
  /** Sends what waits, for three seconds at most. Never rejects. */
  stop(): Promise<void>
}

export interface TelemetryDeps {
  config: Pick<ConfigHandle, 'current' | 'stored' | 'onChange'>
  sources: TelemetrySources
  clock: Clock
  log: Log
  record: RecordEvent
  version: string
  instance: string
  /** loads the SDK, which nothing else does */
  load?: () => Promise<{ startSdk: typeof startSdk }>
}

/** A collector that is away keeps an engine from ending for so long. */
const STOP_MS = 3_000

interface Running {
  by: string
  sdk: Promise<Sdk> | null
  collector: CollectorState | null
}

/**
 * Watching from outside: off until the config names a key for `/metrics` or a collector, and nothing is loaded or
 * listened to before. A change of the config ends what runs and starts anew; counters begin at 0 then.
 */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { config, clock, log } = deps
  const load = deps.load ?? (() => import('./sdk.ts'))
  const inTurn = serial()
  const off: Running = { by: '', sdk: null, collector: null }
  let running = off
  let over = false

  const follow = () => {
    if (over) return
    const settings = settingsOf(config, log)
    // A gauge of a provider that is gone would be told for ever, so another list of providers starts anew as well.
    const by = settings === null ? '' : JSON.stringify([settings, config.current().providers])
    if (by === running.by) return
    const before = running
    running = settings === null ? off : { by, sdk: null, collector: collectorOf(settings) }
    const mine = running
    const begun = inTurn(async () => {
      await stopped(before)
      return settings === null ? null : start(deps, load, settings, mine)
    })
    if (settings === null) return void begun.catch(() => undefined)
    mine.sdk = begun.then((sdk) => sdk ?? Promise.reject(new Error('telemetry was switched off')))
    mine.sdk.catch((error: unknown) => log.error({ error: messageOf(error) }, 'telemetry could not be started'))
  }
  const stopped = async ({ sdk }: Running) => {
    const ended = sdk?.then(
      (one) => one.stop(),
      () => undefined,
    )
    const patience = new AbortController()
    await Promise.race([ended, pause(clock, STOP_MS, patience.signal)])
    patience.abort()
  }
  follow()
  const following = config.onChange(follow)

  return {
    page() {
      const { metricsKeys } = config.current().telemetry
      const { sdk } = running
      if (metricsKeys.length === 0 || sdk === null) return null
      return { keys: metricsKeys, text: async () => (await sdk).page() }
    },
    collector: () => running.collector,
    begun: async () => void (await running.sdk?.catch(() => null)),
    async stop() {
      over = true
      following.dispose()
      const last = running
      running = off
      await inTurn(() => stopped(last))
    },
  }
}

/** null: it is off */
function settingsOf({ current, stored }: Pick<ConfigHandle, 'current' | 'stored'>, log: Log): SdkSettings | null {
  const { telemetry } = current()
  const { metricsKeys, collector: url, seconds, texts } = telemetry
  const page = metricsKeys.length > 0
  if (!page && url === null) return null
  const { values: headers, missing } = collectorHeaders(telemetry, stored)
  if (missing !== null) log.warn({ why: missing }, 'a header for the collector has no value')
  return { page, collector: url === null ? null : { url, headers, seconds }, texts }
}

const collectorOf = ({ collector }: SdkSettings): CollectorState | null =>
  collector && { host: new URL(collector.url).host, away: null }

async function start(
  { sources, clock, log, record, version, instance, config }: TelemetryDeps,
  load: NonNullable<TelemetryDeps['load']>,
  settings: SdkSettings,
  running: Running,
): Promise<Sdk> {
  const { startSdk } = await load()
  const targets = targetsOf(config.current())
  const simulator = targetOf('simulator', null)
  let told = false
  return startSdk(settings, {
    ...sources,
    version,
    instance,
    now: clock.now,
    // The built-in simulator answers where no provider is configured.
    targetOf: (id) => targets.get(id) ?? (targets.size === 0 ? simulator : null),
    onSent(error) {
      const state = running.collector
      if (state === null) return
      if (error === null) {
        if (state.away) log.info({ host: state.host }, 'the collector takes telemetry again')
        running.collector = { ...state, away: null }
        return
      }
      const why = reasonOf(error)
      running.collector = { ...state, away: { since: state.away?.since ?? clock.now(), why } }
      if (told) return
      told = true
      record(
        {},
        {
          type: 'engine-problem',
          code: 'collector-away',
          message:
            `The collector at ${state.host} takes no telemetry (${why}). Onward goes on without it and drops what it ` +
            'can’t keep; `onward doctor` says when it is back.',
        },
      )
    },
  })
}

/** Refused connections to a name with two addresses have no message of their own. */
function reasonOf(error: Error): string {
  if ('code' in error && error.code !== undefined && !error.message.includes(String(error.code)))
    return `${String(error.code)} ${error.message}`.trim()
  return error.message === '' ? error.name : messageOf(error)
}
