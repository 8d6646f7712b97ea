import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { startEngine, type EngineOptions, type EngineProcess } from './engine-process.ts'
import { waitFor } from './wait-for.ts'

/** The real `onward serve`, and a key its clients use. */
export interface EngineForTest extends EngineProcess {
  /** one of `server.keys` */
  key: string
  /** writes another config in its place, as a person's editor does; a text is written as it is */
  edit(config: ConfigInput | string): void
  /** the same, and waits until its providers are what runs */
  use(config: ConfigInput): Promise<void>
  dispose(): Promise<void>
}

/** The real engine as a process, on a home and a free port of its own. `server.keys` is chosen where the config names none. */
export async function startEngineForTest(input: ConfigInput, options: Omit<EngineOptions, 'config'> = {}): Promise<EngineForTest> {
  const [key = 'local-test-key', ...others] = input.server?.keys ?? []
  const withKeys = (config: ConfigInput): ConfigInput & Record<string, unknown> => ({ ...config, server: { ...config.server, keys: [key, ...others] } })
  const engine = await startEngine({ ...options, config: withKeys(input) })
  const edit: EngineForTest['edit'] = (config) => writeFileSync(join(engine.home, 'config.json'), typeof config === 'string' ? config : JSON.stringify(withKeys(config), null, 2))
  return {
    ...engine,
    key,
    edit,
    async use(config) {
      edit(config)
      const wanted = JSON.stringify(Object.entries(config.providers ?? {}).map(([id, { type, baseUrl = null }]) => [id, type, baseUrl]))
      await waitFor('the new config', async () => {
        const { providers, configProblem } = await engine.control.api.status.query()
        return configProblem === null && JSON.stringify(providers.map(({ id, type, baseUrl }) => [id, type, baseUrl])) === wanted
      })
    },
    dispose: () => engine.stop(),
  }
}
