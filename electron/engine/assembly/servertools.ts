import type { RecordEvent } from '../../../shared/events.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import type { Language } from '../../../shared/words.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { createTurnTools, type TurnTools } from '../pipeline/turn-tools.ts'
import { createClockTool } from '../servertools/clock/clock-tool.ts'
import { createContinueExecution } from '../servertools/continue-execution/continue-execution.ts'
import { emptyReplyContinue } from '../servertools/empty-reply/empty-reply-continue.ts'
import { createLedger } from '../servertools/ledger/ledger.ts'
import { createRegistry, type Registry } from '../servertools/registry.ts'
import { allOn } from '../servertools/switches.ts'
import { createToolLists } from '../servertools/tool-lists.ts'
import type { Servertool } from '../servertools/types.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Store } from '../store/types.ts'

export interface ServertoolParts {
  host: EngineHost
  config: ConfigHandle
  store: Store
  sessions: SessionStore
  record: RecordEvent
  language(): Language
  terminalAlive(terminalId: string): boolean
}

export interface Servertools {
  registry: Registry
  turnTools: TurnTools
  view(): NonNullable<EngineStatus['servertools']>
  dispose(): Promise<void>
}

/** Every tool that runs in Onward: a new one is a line here. */
function toolsOf({ host, language, terminalAlive }: ServertoolParts): readonly Servertool[] {
  return [
    createClockTool({ clock: host.clock, timezone: () => Intl.DateTimeFormat().resolvedOptions().timeZone }),
    createContinueExecution({ language, terminalAlive }),
    emptyReplyContinue,
  ]
}

export async function assembleServertools(parts: ServertoolParts): Promise<Servertools> {
  const { host, config, store, sessions, record } = parts
  const { clock, log } = host
  const switches = { config: config.current, env: host.env }
  const registry = createRegistry(toolsOf(parts), switches)
  const lists = createToolLists({ store, log })
  const ledger = createLedger({ store, clock })
  await Promise.all([lists.load(), ledger.load()])
  return {
    registry,
    turnTools: createTurnTools({
      clock, log, registry, lists, ledger, record,
      settings: () => config.current().servertools,
      allOn: () => allOn(switches).on,
      listOf: (sessionId) => sessions.get(sessionId)?.toolList ?? null,
      setList: (sessionId, toolList) => sessions.note(sessionId, () => ({ toolList })),
    }),
    view: () => ({ ...allOn(switches), tools: registry.views() }),
    dispose: async () => undefined,
  }
}
