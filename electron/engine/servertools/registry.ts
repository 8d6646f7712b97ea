import { isOn, viewOf, type SwitchDeps } from './switches.ts'
import type { ServertoolView } from '../../../shared/state.ts'
import type { HiddenNames } from '../protocol/server-tools.ts'
import type { AutomaticTool, CalledTool, Servertool, TurnView } from './types.ts'

export interface Registry {
  /** returns the tool that a model means by this name; aliases count */
  called(name: string): CalledTool | null
  /** returns the tools for a session that begins now, in the order they are declared */
  offered(turn: TurnView): readonly CalledTool[]
  /** automatic tools that are on, in the order they are asked */
  automatic(): readonly AutomaticTool[]
  /** names of tools whose calls no client gets */
  readonly neverShown: HiddenNames
  isOn(tool: Servertool): boolean
  views(): readonly ServertoolView[]
}

/** @throws Error when two tools share a name: a mistake in the list of tools, not one of a person */
export function createRegistry(tools: readonly Servertool[], switches: SwitchDeps): Registry {
  const byName = new Map<string, CalledTool>()
  for (const tool of tools) {
    if (tool.trigger !== 'tool_call') continue
    for (const name of [tool.name, ...tool.aliases]) {
      if (byName.has(name)) throw new Error(`Two tools are called ${name}.`)
      byName.set(name, tool)
    }
  }
  const automatic = tools
    .filter((tool): tool is AutomaticTool => tool.trigger === 'auto' && tool.phase === 'answer-ended')
    .toSorted((a, b) => a.priority - b.priority)
  const on = (tool: Servertool): boolean => isOn(tool, switches)
  /** tools that are on, by config; needed several times in every request */
  let known: { by: ReturnType<SwitchDeps['config']>; tools: readonly AutomaticTool[] } | null = null
  return {
    called: (name) => byName.get(name) ?? null,
    offered: (turn) =>
      [...new Set(byName.values())].filter((tool) => on(tool) && tool.problem() === null && tool.offered(turn)),
    automatic() {
      const by = switches.config()
      if (known?.by !== by) known = { by, tools: automatic.filter(on) }
      return known.tools
    },
    neverShown: new Set([...byName].flatMap(([name, tool]) => (tool.neverShown ? [name] : []))),
    isOn: on,
    views: () => tools.map((tool): ServertoolView => viewOf(tool, switches)),
  }
}
