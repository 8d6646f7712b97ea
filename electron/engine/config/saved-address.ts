import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'
import { checkConfig } from './check.ts'
import { lastGoodFileName } from './last-good.ts'
import { configFileName, defaultConfig } from './open.ts'

/** Where an engine that starts now on this home is to listen, by the config it would run with. */
export async function savedAddress(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ host: string; port: number }> {
  for (const name of [configFileName, lastGoodFileName]) {
    const text = await readFile(join(home, name), 'utf8').catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return null
      throw error
    })
    const config = text === null ? defaultConfig() : checkConfig(text, env).config
    if (config) return config.server
  }
  return defaultConfig().server
}
