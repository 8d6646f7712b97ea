import { join } from 'node:path'
import type { Config } from '../../../shared/config/schema.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { checkConfig } from './check.ts'
import type { ConfigFiles } from './types.ts'

export const lastGoodFileName = 'config.last-good.json'

/**
 * A copy of the last config text that was right, for a start that finds the file broken: its keys and its host go on
 * counting then. It holds the text as written, so what stands in the environment is not copied; mode 0600.
 */
export interface LastGood {
  /** null: there is no copy, or it is not right here and now */
  read(env: Readonly<Record<string, string | undefined>>): Promise<{ text: string; config: Config } | null>
  /** null: the person runs without a config, and an older one must not come back. Never throws. */
  keep(text: string | null): Promise<void>
}

export function createLastGood(home: string, files: ConfigFiles, log: Log): LastGood {
  const path = join(home, lastGoodFileName)
  const textOf = async () => (await files.read(path))?.toString('utf8') ?? null
  return {
    async read(env) {
      try {
        const text = await textOf()
        const config = text === null ? null : checkConfig(text, env).config
        return text === null || config === null ? null : { text, config }
      } catch (error) {
        log.warn({ path, error: messageOf(error) }, 'The copy of the last good config can not be read.')
        return null
      }
    },
    async keep(text) {
      try {
        if ((await textOf()) === text) return
        await (text === null ? files.remove(path) : files.write(path, text))
      } catch (error) {
        log.warn({ path, error: messageOf(error) }, 'The copy of the last good config can not be kept.')
      }
    },
  }
}
