import type { Config } from '../../../shared/config/schema.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import type { EntryProtocol, Language } from '../../../shared/words.ts'
import { localZone } from '../base/clock.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { createAskSearch } from '../pipeline/internal-calls/ask-search.ts'
import { createAskVision } from '../pipeline/internal-calls/ask-vision.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import { createSeeImages } from '../pipeline/request/see-images.ts'
import { askOf } from '../pipeline/send/send.ts'
import type { Turn } from '../pipeline/turn.ts'
import { createTurnTools, type TurnTools } from '../pipeline/rounds/turn-tools.ts'
import type { TurnRecords } from '../records/turn-records.ts'
import type { Router } from '../router/create-router.ts'
import { prepared, providersOf, providerProtocol, splitTarget } from '../router/prepared.ts'
import { createClockTool } from '../servertools/clock/clock-tool.ts'
import { createHold } from '../servertools/clock/hold.ts'
import { createContinueExecution } from '../servertools/continue-execution.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { createLedger } from '../servertools/ledger/ledger.ts'
import { createRegistry, allOn, switchesOf, createToolLists } from '../servertools/registry.ts'
import type { Servertool } from '../servertools/types.ts'
import { createVisionAuto } from '../servertools/vision-auto/index.ts'
import { createWebFetch } from '../servertools/web-fetch.ts'
import { createWebSearch } from '../servertools/web-search.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Store } from '../store/types.ts'
import { createFetchWeb, type GuardedWeb } from '../web/create-fetch-web.ts'
import { requestWork, type InFlight } from '../base/work.ts'
import type { ClockAssembly } from './goals/automation.ts'

export interface ServertoolParts {
  host: EngineHost
  config: ConfigHandle
  store: Store
  sessions: SessionStore
  router: Router
  records: Pick<TurnRecords, 'recent'>
  record: RecordEvent
  language(): Language
  terminalAlive(terminalId: string): boolean
  clock: Pick<ClockAssembly, 'alarms' | 'time'>
  turns: Pick<InFlight, 'waits'>
  /** the engine's own way to ask a model; there when the first turn runs */
  internalCall: InternalCall
  /** names the client's own credential (SendDeps.credentialOf) */
  credentialOf(turn: Turn): string | null
}

export interface Servertools {
  turnTools: TurnTools
  seeImages(turn: Turn): Promise<void>
  /** vision_auto is on and has a model to ask */
  describesImages(): boolean
  view(): NonNullable<EngineStatus['servertools']>
  dispose(): Promise<void>
}

/** Most configs name no model that can't see images, and then no request is searched for them. */
const blind = new WeakMap<Config, boolean>()
function hasBlindModel(config: Config): boolean {
  const known = blind.get(config)
  if (known !== undefined) return known
  const has = Object.values(config.providers).some(({ models }) =>
    Object.values(models).some(({ vision }) => vision === false),
  )
  blind.set(config, has)
  return has
}

/** Every tool that runs in Onward: a new one is a line here. */
function toolsOf(
  { config, language, terminalAlive, internalCall, record, turns, clock: { alarms, time } }: ServertoolParts,
  web: GuardedWeb,
  vision: Servertool,
): readonly Servertool[] {
  return [
    createClockTool({ clock: time.clock, sync: time.state, timezone: localZone, alarms }),
    createHold({
      alarms,
      clock: time.clock,
      record,
      waits: (requestId, until) => turns.waits(requestWork(requestId), until),
      config: () => config.current().clock,
    }),
    createContinueExecution({ language, terminalAlive }),
    createWebFetch({ fetchWeb: web.fetch, config: () => config.current().servertools.webFetch }),
    createWebSearch({
      fetchWeb: web.fetch,
      config: () => config.current().servertools.webSearch,
      askModel: createAskSearch({ call: internalCall, speaks: (target) => searchProtocol(target, config.current()) }),
    }),
    vision,
    emptyReplyContinue,
  ]
}

export async function assembleServertools(parts: ServertoolParts): Promise<Servertools> {
  const { host, config, store, sessions, router, record } = parts
  const { clock, log } = host
  const switches = { config: config.current, env: switchesOf(host.env) }
  const web = createFetchWeb({ clock })
  const vision = createVisionAuto({
    store,
    clock,
    log,
    hasVisionRoute: () => prepared(config.current()).pools.has('vision'),
    ask: createAskVision({
      call: parts.internalCall,
      servedBy: (requestId) => parts.records.recent(requestId)?.route ?? null,
      isBlind: (provider, model) => config.current().providers[provider]?.models[model]?.vision === false,
    }),
  })
  const registry = createRegistry(toolsOf(parts, web, vision.tool), switches)
  const lists = createToolLists({ store, log })
  const ledger = createLedger({ store, clock })
  await Promise.all([lists.load(), ledger.load()])
  const describesImages = () => registry.isOn(vision.tool) && vision.tool.problem() === null
  return {
    turnTools: createTurnTools({
      clock,
      log,
      registry,
      lists,
      ledger,
      record,
      settings: () => config.current().servertools,
      allOn: () => allOn(switches).on,
      listOf: (sessionId) => sessions.get(sessionId)?.toolList ?? null,
      setList: (sessionId, toolList) => sessions.note(sessionId, () => ({ toolList })),
    }),
    seeImages: createSeeImages({
      clock,
      record,
      isOn: () => hasBlindModel(config.current()) && registry.isOn(vision.tool),
      peek(turn) {
        const choice = router.peek(askOf(turn, { credentialOf: parts.credentialOf, describesImages }))
        return choice && { choice }
      },
      describeImages: vision.describeImages,
    }),
    describesImages,
    view: () => ({ ...allOn(switches), tools: registry.views() }),
    dispose: () => web.dispose(),
  }
}

/** Returns the protocol of the model that searches; for the route `webSearch` that of its first model. */
export function searchProtocol(target: string | null, config: Config): EntryProtocol {
  const providers = providersOf(config)
  const [first] = config.routes.webSearch ?? []
  const named = target ?? (typeof first === 'string' ? first : first?.target) ?? ''
  const type = providers[splitTarget(named, providers)?.providerId ?? '']?.type
  return (type && providerProtocol(type)) ?? 'chat'
}
