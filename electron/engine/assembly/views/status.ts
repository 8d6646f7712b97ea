import { asksForPerson, works } from '../../../../shared/asks-for-person.ts'
import type { EngineStatus, SessionView } from '../../../../shared/state.ts'
import { noticeClasses } from '../../../../shared/notice-classes.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { EngineHost } from '../../host.ts'
import { reviewerOf } from '../goals/reviewer-of.ts'
import { providersOf } from '../../router/prepared.ts'

export interface StatusParts {
  host: EngineHost
  config: ConfigHandle
  command: string | null
  address: { host: string; port: number }
  startedAt: number
  pid: number
  paused: boolean
  finishing: EngineStatus['finishing'] | null
  awake: EngineStatus['awake'] | null
  sessions: readonly SessionView[]
  terminals: number
  /** terminals before their first turn whose agent asks something */
  freshAsking: number
  today: { turns: number; tokens: number; costUsd: number | null }
  limits: NonNullable<EngineStatus['limits']>
  servertools: EngineStatus['servertools'] | null
  outside: NonNullable<EngineStatus['outside']>
  quietHeld: number
  clock: Required<Pick<EngineStatus, 'alarms' | 'timeSync' | 'zone'>>
}

export function engineStatus(parts: StatusParts): EngineStatus {
  const { host, config } = parts
  const current = config.current()
  const usable = config.refusal() === null
  return {
    version: host.version,
    pid: parts.pid,
    host: parts.address.host,
    port: parts.address.port,
    startedAt: parts.startedAt,
    home: host.home,
    ...(parts.command === null ? {} : { command: parts.command }),
    paused: parts.paused,
    ...(parts.finishing ? { finishing: parts.finishing } : {}),
    ...(parts.awake ? { awake: parts.awake } : {}),
    simulator: usable && Object.keys(current.providers).length === 0,
    providers: Object.entries(usable ? providersOf(current) : {}).map(([id, p]) => ({
      id,
      type: p.type,
      baseUrl: p.baseUrl ?? null,
      models: Object.keys(p.models).length,
      keys: p.keys.length,
    })),
    configPath: config.path,
    configProblem: config.problem(),
    configRevision: config.revision(),
    ...troubleIn(config),
    ...policyIn(config),
    ...(parts.limits.length === 0 ? {} : { limits: parts.limits }),
    counts: {
      sessions: parts.sessions.length,
      activity: parts.sessions.filter(works).length,
      needsYou: parts.sessions.filter(asksForPerson).length + parts.freshAsking,
      terminals: parts.terminals,
    },
    today: parts.today,
    language: current.language ?? languageOf(host.env),
    budgets: current.stopMessage.budgets,
    review: reviewerOf(current),
    ...parts.clock,
    clock: { enabled: current.clock.enabled, timeTag: current.clock.timeTag, holdMaxMs: current.clock.holdMaxMs },
    updates: { check: current.updates.check, download: current.updates.download },
    ...(parts.servertools ? { servertools: parts.servertools } : {}),
    ...(host.showsNotices ? { desktop: true as const } : {}),
    ...(host.service ? { service: true as const } : {}),
    ...(parts.outside.length === 0 ? {} : { outside: parts.outside }),
    quietHours: { ...current.notifications.quietHours, held: parts.quietHeld },
    notifications: Object.fromEntries(noticeClasses.map((c) => [c, current.notifications[c] ?? true])),
  }
}

const troubleIn = (config: ConfigHandle): Pick<EngineStatus, 'configTrouble'> => {
  const configTrouble = config.trouble()
  return configTrouble === null ? {} : { configTrouble }
}

/** The person's language, from the locale of their shell. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): 'en' | 'zh-CN' {
  return /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'zh-CN' : 'en'
}

function policyIn(config: ConfigHandle): Pick<EngineStatus, 'policy'> {
  const policy = config.policies()
  return policy ? { policy } : {}
}
