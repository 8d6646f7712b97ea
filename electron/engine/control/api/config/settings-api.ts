import { isDeepStrictEqual } from 'node:util'
import { settingRule, settingValue } from '../../../../../shared/config/setting-rules.ts'
import type { ControlApi } from '../../../../../shared/operations/index.ts'
import { settingNames, type LocalKeyView, type SettingsView } from '../../../../../shared/settings.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Random } from '../../../base/ids.ts'
import { hashOf, type LocalKey } from '../../../base/network/local-keys.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { keyPrefix } from '../../../sessions/binding/find-terminal.ts'

export interface SettingsApiDeps {
  config: Pick<ConfigHandle, 'current' | 'edit' | 'reload'>
  random: Pick<Random, 'token'>
  baseUrl(): string
}

/** of keys for MCP, which name no terminal */
const mcpKeyPrefix = 'owm_'

/** Single settings and the keys of callers, as a person changes them from here: one member of the file at a time. */
export function settingsApi({ config, random, baseUrl }: SettingsApiDeps) {
  const view = (): SettingsView => ({
    settings: settingNames.map((name) => ({ name, ...settingRule(name), value: settingValue(config.current(), name) })),
    keys: config.current().server.keys.map(keyView),
  })
  return {
    settings: async () => view(),
    async setSetting({ name, value }) {
      const asItIs = value === null || isDeepStrictEqual(value, settingRule(name).default)
      await config.edit([{ path: name.split('.'), value: asItIs ? undefined : value }])
      return view()
    },
    async addLocalKey(alias) {
      const key = `${keyPrefix}${random.token(24)}`
      await config.edit(({ server }) => [
        { path: ['server', 'keys', server.keys.length], value: newKey(server.keys, alias, key) },
      ])
      return { key, alias }
    },
    async addMcpKey(alias) {
      const key = `${mcpKeyPrefix}${random.token(24)}`
      await config.edit(({ mcp }) => [{ path: ['mcp', 'keys', mcp.keys.length], value: newKey(mcp.keys, alias, key) }])
      return { key, alias, url: `${baseUrl()}/mcp` }
    },
    async removeMcpKey(alias) {
      await config.edit(({ mcp }) => {
        const at = mcp.keys.findIndex((key) => typeof key !== 'string' && key.alias === alias)
        if (at < 0) throw new OnwardError('key-unknown', `There is no key of “${alias}” for MCP.`, { status: 404 })
        return [{ path: ['mcp', 'keys', at], value: undefined }]
      })
    },
    async removeLocalKey(id) {
      await config.edit(({ server }) => {
        const at = server.keys.findIndex((key) => keyView(key).id === id)
        if (at < 0) throw new OnwardError('key-unknown', 'That key is gone already.', { status: 404 })
        return [{ path: ['server', 'keys', at], value: undefined }]
      })
      return view()
    },
  } satisfies Partial<ControlApi>
}

/** @throws OnwardError `key-exists` */
function newKey(keys: readonly LocalKey[], alias: string, key: string): LocalKey {
  if (keys.some((one) => typeof one !== 'string' && one.alias === alias))
    throw new OnwardError('key-exists', `There is a key “${alias}” already. Take another name.`, {
      details: { name: alias },
      status: 409,
    })
  return { alias, sha256: hashOf(key), ends: key.slice(-4) }
}

/** A key shorter than this is shown without its last characters, which would give it away. */
const SHORTEST_TOLD = 16

function keyView(key: LocalKey): LocalKeyView {
  if (typeof key !== 'string') return { id: key.sha256.slice(0, 16), alias: key.alias, ends: key.ends }
  return { id: hashOf(key).slice(0, 16), alias: null, ends: key.length < SHORTEST_TOLD ? '' : key.slice(-4) }
}
