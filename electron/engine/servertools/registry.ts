import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../../shared/config/schema.ts'
import { permitsTool } from '../../../shared/policy/apply.ts'
import type { ServertoolView } from '../../../shared/state.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { HiddenNames, ToolDeclaration } from '../protocol/server-tools/types.ts'
import type { Document, DocumentSpec, Store } from '../store/types.ts'
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

type Env = Readonly<Record<string, string | undefined>>
export interface SwitchDeps {
  config(): Pick<Config, 'servertools' | 'clock' | 'held'>
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
  const { servertools, clock, held } = config()
  if (!permitsTool(held, tool.name)) return { on: false, by: 'policy' }
  if (tool.name === 'clock' && !clock.enabled) return { on: false, by: 'config' }
  const chosen = servertools.tools[tool.name]
  if (chosen !== undefined) return { on: chosen, by: 'config' }
  const forced = envWord(env)
  return forced?.on ? forced : { on: tool.onByDefault, by: 'default' }
}

/** A tool runs if tools are on as a whole and it is on itself. */
const isOn = (tool: Servertool, deps: SwitchDeps): boolean => allOn(deps).on && ownWord(tool, deps).on

function viewOf(tool: Servertool, deps: SwitchDeps): ServertoolView {
  const own = ownWord(tool, deps)
  return { name: tool.name, about: tool.about, trigger: tool.trigger, ...own, problem: own.on ? tool.problem() : null }
}

/** A tool as a session's requests declare it. */
export interface FrozenTool {
  declaration: ToolDeclaration
  declared: CalledTool['declared']
}

const listShape = z.array(
  z.object({
    declared: z.enum(['every-turn', 'with-tools']),
    declaration: z.object({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      strict: z.boolean(),
    }),
  }),
)
type Lists = Readonly<Record<string, readonly FrozenTool[]>>
const spec: DocumentSpec<Lists> = {
  path: 'tool-lists.json',
  version: 1,
  parse: (value) => z.record(z.string(), listShape).parse(value),
  whenCorrupt: {},
  asideWhenNewer: true,
}

/**
 * Lists of declared tools by name. A session keeps its list's name for life: if the list of a running session changed,
 * by a switch or a new version of Onward, its whole prompt would have to be paid for again. There are few different
 * lists, so sessions share them.
 */
export interface ToolLists {
  load(): Promise<void>
  /** returns the name of a list, which is kept from now on */
  keep(tools: readonly CalledTool[]): string
  /** null: not known any more */
  get(name: string): readonly FrozenTool[] | null
}

export function createToolLists({ store, log }: { store: Store; log: Log }): ToolLists {
  let lists: Record<string, readonly FrozenTool[]> = {}
  let document: Document<Lists> | null = null
  /** lists of tools are made again and again from the same tools */
  const names = new WeakMap<ToolDeclaration, string>()

  const save = () => {
    document
      ?.update((kept) => ({ ...kept, ...lists }))
      .catch((error: unknown) =>
        log.error(
          { error: messageOf(error) },
          'a list of tools could not be kept; its sessions may get another one after a restart',
        ),
      )
  }
  const textOf = ({ declaration, declared }: FrozenTool): string => {
    const known = names.get(declaration)
    if (known !== undefined) return known
    const text = JSON.stringify([declared, declaration])
    names.set(declaration, text)
    return text
  }
  return {
    async load() {
      document = await store.document(spec)
      lists = { ...document.get(), ...lists }
      if (Object.keys(lists).length > 0) save()
    },
    keep(tools) {
      const frozen = tools.map((tool): FrozenTool => ({ declaration: tool.declaration(), declared: tool.declared }))
      const name = createHash('sha256').update(frozen.map(textOf).join('\n')).digest('base64url').slice(0, 16)
      if (!(name in lists)) {
        lists = { ...lists, [name]: frozen }
        save()
      }
      return name
    },
    get: (name) => lists[name] ?? null,
  }
}
