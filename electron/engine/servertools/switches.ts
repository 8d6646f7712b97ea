import type { Config } from '../../../shared/config/schema.ts'
import type { ServertoolView } from '../../../shared/state.ts'
import type { Servertool } from './types.ts'

type Env = Readonly<Record<string, string | undefined>>
export interface SwitchDeps {
  config(): Pick<Config, 'servertools' | 'clock'>
  env: Env
}

interface Word {
  on: boolean
  by: ServertoolView['by']
}

/**
 * Reads the variables for switches once: they are needed for each tool in every request, and Node asks the system for
 * each variable each time.
 */
export const switchesOf = (env: Env): Env => ({ ROUTECODEX_SERVER_TOOLS: env['ROUTECODEX_SERVER_TOOLS'] })

/** `ROUTECODEX_SERVER_TOOLS`: `1` switches on all tools that the config does not name, `0` switches all off. */
function envWord(env: Env): Word | null {
  const value = env['ROUTECODEX_SERVER_TOOLS']?.trim()
  return value === '1' ? { on: true, by: 'env' } : value === '0' ? { on: false, by: 'env' } : null
}

export function allOn({ config, env }: SwitchDeps): Word {
  const { enabled } = config().servertools
  return envWord(env) ?? (enabled ? { on: true, by: 'default' } : { on: false, by: 'config' })
}

/** Returns a tool's own switch. `clock` has its own in the config (`clock.enabled`). */
function ownWord(tool: Servertool, { config, env }: SwitchDeps): Word {
  const { servertools, clock } = config()
  if (tool.name === 'clock' && !clock.enabled) return { on: false, by: 'config' }
  const chosen = servertools.tools[tool.name]
  if (chosen !== undefined) return { on: chosen, by: 'config' }
  const forced = envWord(env)
  return forced?.on ? forced : { on: tool.onByDefault, by: 'default' }
}

/** A tool runs if tools are on as a whole and it is on itself. */
export const isOn = (tool: Servertool, deps: SwitchDeps): boolean => allOn(deps).on && ownWord(tool, deps).on

export function viewOf(tool: Servertool, deps: SwitchDeps): ServertoolView {
  const own = ownWord(tool, deps)
  return { name: tool.name, about: tool.about, trigger: tool.trigger, ...own, problem: own.on ? tool.problem() : null }
}
