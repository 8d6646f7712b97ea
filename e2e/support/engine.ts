import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { startEngine, type EngineOptions, type EngineProcess } from './engine-process.ts'
import type { EngineForTest, StartEngineForTest } from './start-engine-for-test.ts'

/** The real `onward serve`, and a key its clients use. */
export interface EngineWithKey extends EngineForTest, EngineProcess {
  /** writes another config beside it, as a person's editor does; text is written as it is */
  edit(config: ConfigInput | string): void
}

/** The real engine as a process, on a home of its own. */
export async function startEngineForTest(input: ConfigInput, options: Omit<EngineOptions, 'config'> = {}): Promise<EngineWithKey> {
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

startEngineForTest satisfies StartEngineForTest
