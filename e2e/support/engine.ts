import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { startEngine, type EngineOptions, type EngineProcess } from './engine-process.ts'

/** The real `onward serve`, and a key its clients use. */
export interface EngineForTest extends EngineProcess {
  /** one of `server.keys` */
  key: string
  /** writes another config in its place, as a person's editor does; a text is written as it is */
  edit(config: ConfigInput | string): void
  dispose(): Promise<void>
}

/** The real engine as a process, on a home and a free port of its own. `server.keys` is chosen where the config names none. */
export async function startEngineForTest(input: ConfigInput, options: Omit<EngineOptions, 'config'> = {}): Promise<EngineForTest> {
  const [key = 'local-test-key', ...others] = input.server?.keys ?? []
  const withKeys = (config: ConfigInput): ConfigInput & Record<string, unknown> => ({ ...config, server: { ...config.server, keys: [key, ...others] } })
  const engine = await startEngine({ ...options, config: withKeys(input) })
  return {
    ...engine,
    key,
    edit: (config) => writeFileSync(join(engine.home, 'config.json'), typeof config === 'string' ? config : JSON.stringify(withKeys(config), null, 2)),
    dispose: () => engine.stop(),
  }
}
