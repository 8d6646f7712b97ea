import { join } from 'node:path'
import { asObject, asText, at, objectIn } from '../read-loosely.ts'
import type { Found, Source } from '../types.ts'
import { anthropicEnv } from './claude.ts'
import { codexProviders } from './codex.ts'

/** cc-switch: the providers that it switches Claude Code and Codex between. Its newer versions keep a database. */
export const fromCcSwitch: Source = async (context) => {
  const folder = join(context.home, '.cc-switch')
  const file = join(folder, 'config.json')
  const config = objectIn(await context.read(file))
  // At first there was Claude Code only, and no level of apps.
  const claude = at(config, 'claude', 'providers') ?? config.providers
  const found: Found[] = [
    ...Object.values(asObject(claude)).flatMap((provider) =>
      anthropicEnv('cc-switch', file, at(provider, 'settingsConfig', 'env'), context),
    ),
    ...Object.values(asObject(at(config, 'codex', 'providers'))).flatMap((provider) =>
      codexProviders(
        'cc-switch',
        file,
        asText(at(provider, 'settingsConfig', 'config')),
        asText(at(provider, 'settingsConfig', 'auth', 'OPENAI_API_KEY')),
        context,
      ),
    ),
  ]
  const database = join(folder, 'cc-switch.db')
  if (found.length === 0 && (await context.read(database)) !== null)
    found.push({
      tool: 'cc-switch',
      where: database,
      vendor: null,
      name: 'cc-switch',
      models: [],
      credential: { kind: 'none', why: 'database' },
    })
  return found
}
