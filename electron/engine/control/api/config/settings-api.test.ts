import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingNames, type SettingName, type SettingValue } from '../../../../../shared/settings.ts'
import { settingRule } from '../../../../../shared/config/setting-rules.ts'
import { silentLog } from '../../../base/log.ts'
import { isLocalKey } from '../../../base/network/local-keys.ts'
import { systemRandom } from '../../../base/ids.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import { nodeConfigFiles } from '../../../config/node-files.ts'
import { openConfig } from '../../../config/open.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { settingsApi } from './settings-api.ts'

const written = `{
  // mine
  "clock": {
    "retentionMs": 900000, // a quarter of an hour
    "ntp": { "enabled": false }
  },
  "server": {
    // for CI
    "keys": ["a-key-of-the-old-kind"]
  }
}
`
let home: string
let config: ConfigHandle
let api: ReturnType<typeof settingsApi>
const text = () => readFile(join(home, 'config.json'), 'utf8')
const valueOf = async (name: SettingName) => (await api.settings()).settings.find((one) => one.name === name)?.value

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-settings-'))
  await writeFile(join(home, 'config.json'), written)
  const files = nodeConfigFiles()
  config = await openConfig({ home, files, env: {}, clock: virtualClock(), log: silentLog })
  api = settingsApi({ config, random: systemRandom(), baseUrl: () => 'http://127.0.0.1:5520' })
})
afterEach(async () => {
  config.dispose()
  await rm(home, { recursive: true, force: true })
})

describe('single settings', () => {
  it('are told with their bounds and defaults', async () => {
    const { settings } = await api.settings()
    expect(settings.map(({ name }) => name)).toEqual(settingNames)
    expect(settings.find(({ name }) => name === 'clock.retentionMs')).toEqual({
      name: 'clock.retentionMs',
      kind: 'number',
      default: 1_200_000,
      value: 900_000,
      min: 60_000,
      max: 604_800_000,
      above: false,
      whole: true,
      choices: [],
      filled: false,
    })
    expect(settingRule('servertools.maxSeconds')).toMatchObject({ min: 0, above: true, max: null, whole: false })
    expect(settingRule('stopMessage.review.backend')).toMatchObject({ kind: 'choice', choices: ['model', 'command'] })
    expect(settingRule('stopMessage.review.model')).toMatchObject({ kind: 'text', default: null })
    expect(settingRule('clock.ntp.servers')).toMatchObject({ kind: 'list', filled: true })
    expect(settingRule('clock.holdNonStreaming')).toMatchObject({ kind: 'boolean', default: true })
  })

  it('change where they stand and nowhere else, and leave the file when they are back at their default', async () => {
    await api.setSetting({ name: 'clock.retentionMs', value: 3_600_000 })
    expect(await text()).toBe(written.replace('900000', '3600000'))
    expect(await valueOf('clock.retentionMs')).toBe(3_600_000)
    await api.setSetting({ name: 'clock.ntp.timeoutMs', value: 500 })
    expect(config.current().clock.ntp).toMatchObject({ enabled: false, timeoutMs: 500 })
    await api.setSetting({ name: 'clock.ntp.timeoutMs', value: 800 })
    await api.setSetting({ name: 'clock.retentionMs', value: null })
    expect(await text()).not.toMatch(/timeoutMs|retentionMs/)
    expect(await text()).toContain('// mine')
    expect(await valueOf('clock.retentionMs')).toBe(1_200_000)
    for (let n = 0; n < 4; n++) await config.undo()
    expect(await text()).toBe(written)
  })

  it('are refused outside of their bounds, and the file stays', async () => {
    const refused = { code: 'config-invalid' }
    await expect(api.setSetting({ name: 'clock.retentionMs', value: 1 })).rejects.toMatchObject(refused)
    await expect(api.setSetting({ name: 'clock.ntp.servers', value: [] })).rejects.toMatchObject(refused)
    await expect(api.setSetting({ name: 'limits.order', value: ['keys'] })).rejects.toMatchObject(refused)
    await expect(api.setSetting({ name: 'clock.retentionMs', value: 'soon' })).rejects.toMatchObject(refused)
    expect(await text()).toBe(written)
  })

  it('take every kind of value that their rule names', async () => {
    const other = (name: SettingName): SettingValue => {
      const { kind, choices, default: usual } = settingRule(name)
      if (kind === 'number') return Number(usual) + 1 > (settingRule(name).max ?? Infinity) ? 1 : Number(usual) + 1
      if (kind === 'boolean') return usual !== true
      if (kind === 'choice') return choices.find((choice) => choice !== usual) ?? null
      if (name === 'limits.order') return ['wait']
      return kind === 'list' ? ['example.org'] : name === 'server.host' ? '127.0.0.2' : 'chat.glm-5'
    }
    for (const name of settingNames) {
      const value = other(name)
      await api.setSetting({
        name,
        value: value === null ? null : Array.isArray(value) ? [...value] : (value as never),
      })
      expect([name, await valueOf(name)]).toEqual([name, value])
    }
  })
})

describe('keys of callers', () => {
  it('are shown once, kept as a hash, count from then on, and can be taken back', async () => {
    const { key } = await api.addLocalKey('laptop')
    expect(key).toMatch(/^owk_[A-Za-z0-9_-]{32}$/)
    expect(await text()).not.toContain(key)
    const { keys } = await api.settings()
    expect(keys).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{16}$/), alias: null, ends: 'kind' },
      { id: expect.stringMatching(/^[0-9a-f]{16}$/), alias: 'laptop', ends: key.slice(-4) },
    ])
    const counts = (given: string) => isLocalKey(given, config.current().server.keys)
    const [, laptop] = config.current().server.keys
    expect([counts(key), counts('a-key-of-the-old-kind'), counts(`${key}x`)]).toEqual([true, true, false])
    expect(typeof laptop === 'object' && counts(laptop.sha256)).toBe(false)
    await api.removeLocalKey(keys[1]?.id ?? '')
    expect(counts(key)).toBe(false)
    await config.undo()
    expect(counts(key)).toBe(true)
    await config.undo()
    expect(await text()).toBe(written)
  })

  it('have names of their own, and the last one stays while other machines can call', async () => {
    await api.addLocalKey('ci')
    await expect(api.addLocalKey('ci')).rejects.toMatchObject({ code: 'key-exists' })
    await api.setSetting({ name: 'server.host', value: '0.0.0.0' })
    const [first, second] = (await api.settings()).keys
    await api.removeLocalKey(first?.id ?? '')
    await expect(api.removeLocalKey(second?.id ?? '')).rejects.toMatchObject({ code: 'config-invalid' })
    await expect(api.removeLocalKey('gone')).rejects.toMatchObject({ code: 'key-unknown' })
    await api.setSetting({ name: 'server.host', value: null })
    await api.removeLocalKey(second?.id ?? '')
    expect((await api.settings()).keys).toEqual([])
    await expect(api.setSetting({ name: 'server.host', value: '0.0.0.0' })).rejects.toMatchObject({
      code: 'config-invalid',
    })
  })
})
