import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { startEngine, type EngineOptions, type EngineProcess } from './engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** The real `onward serve`, and a key its clients use. */
export interface EngineForTest extends EngineProcess {
  /** one of `server.keys` */
  key: string
  /** writes another config in its place, as a person's editor does; a text is written as it is */
  edit(config: ConfigInput | string): void
  /** the same, and waits until its providers are what runs; they must differ from those before */
  use(config: ConfigInput): Promise<void>
  restart(): Promise<EngineForTest>
  dispose(): Promise<void>
}

/**
 * The real engine as a process, on a home and a free port of its own. `server.keys` is chosen where the config names
 * none.
 */
export async function startEngineForTest(
  input: ConfigInput,
  options: Omit<EngineOptions, 'config'> = {},
): Promise<EngineForTest> {
  const texts = (input.server?.keys ?? []).filter((key) => typeof key === 'string')
  const keys = texts.length > 0 ? texts : ['local-test-key']
  return withKeys(await startEngine({ ...options, config: keyed(input, keys) }), keys)
}

const keyed = (config: ConfigInput, keys: string[]): ConfigInput & Record<string, unknown> => ({
  ...config,
  server: { ...config.server, keys },
})

function withKeys(engine: EngineProcess, keys: string[]): EngineForTest {
  const edit: EngineForTest['edit'] = (config) =>
    writeFileSync(
      join(engine.home, 'config.json'),
      typeof config === 'string' ? config : JSON.stringify(keyed(config, keys), null, 2),
    )
  return {
    ...engine,
    key: keys[0] ?? '',
    edit,
    async use(config) {
      edit(config)
      const wanted = JSON.stringify(
        Object.entries(config.providers ?? {}).map(([id, { type, baseUrl = null }]) => [id, type, baseUrl]),
      )
      await waitFor('the new config', async () => {
        const { providers, configProblem } = await engine.control.api.status.query()
        return (
          configProblem === null &&
          JSON.stringify(providers.map(({ id, type, baseUrl }) => [id, type, baseUrl])) === wanted
        )
      })
    },
    restart: async () => withKeys(await engine.restart(), keys),
    dispose: () => engine.stop(),
  }
}
