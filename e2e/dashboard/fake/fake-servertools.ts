/** Switches of Onward's tools in the fake engine, obeyed as the engine obeys them. For development and tests only. */
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import { byDefault, sceneServertools, type Servertools } from './scene-servertools.ts'
import type { Scene } from './scene.ts'

interface Parts {
  scene: Scene
  putStatus(change: Partial<EngineStatus>): void
  refuse(code: string, message: string): never
}

export function fakeServertools({ scene, putStatus, refuse }: Parts) {
  return {
    async setServertool({ tool: name, on }) {
      const now = scene.status.servertools ?? sceneServertools
      const servertools = name === null ? all(now, on) : one(now, name, on)
      putStatus({ servertools })
      return servertools
    },
  } satisfies Partial<ControlApi>

  function all(now: Servertools, on: boolean | null): Servertools {
    if (now.by === 'env')
      return refuse(
        'servertool-env',
        'ROUTECODEX_SERVER_TOOLS decides this. Start Onward without it to switch them here.',
      )
    return { ...now, on: on ?? true, by: on === false ? 'config' : 'default' }
  }

  function one(now: Servertools, name: string, on: boolean | null): Servertools {
    if (!now.tools.some((tool) => tool.name === name))
      return refuse('servertool-unknown', `There is no tool “${name}”.`)
    const tools = now.tools.map((tool) =>
      tool.name === name
        ? { ...tool, on: on ?? byDefault[name] ?? true, by: on === null ? ('default' as const) : ('config' as const) }
        : tool,
    )
    return { ...now, tools }
  }
}
