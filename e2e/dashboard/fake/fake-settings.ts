/** Single settings and keys of callers in the fake engine. For development and tests only. */
import { settingRule } from '../../../shared/config/setting-rules.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import {
  settingNames,
  type LocalKeyView,
  type SettingName,
  type SettingsView,
  type SettingValue,
} from '../../../shared/settings.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import type { SecretsView } from '../../../shared/secrets/secrets.ts'
import type { Scene } from './scene.ts'

interface Parts {
  scene: Scene
  putStatus(change: Partial<EngineStatus>): void
}

export function fakeSettings({ scene, putStatus }: Parts) {
  const set = new Map<SettingName, SettingValue>([
    ['clock.retentionMs', 3_600_000],
    ['servertools.webFetch.allow', ['docs.internal', '192.168.1.0/24']],
  ])
  let keys: readonly LocalKeyView[] = [
    { id: 'laptop', alias: 'laptop', ends: 'x7Qd' },
    { id: 'ci', alias: 'ci-runner', ends: '0pLm' },
  ]
  let kept: SecretsView = {
    keep: 'keychain',
    path: '/home/ada/.onward/secrets.json',
    count: { keychain: 2, file: 3 },
    keychain: { kind: 'works' },
    moving: null,
    strays: [],
  }
  let edits = 0
  const view = (): SettingsView => ({
    settings: settingNames.map((name) => {
      const rule = settingRule(name)
      return { name, ...rule, value: set.get(name) ?? rule.default }
    }),
    keys,
  })
  const edited = () => {
    putStatus({ configRevision: `${scene.status.configRevision ?? ''}+${++edits}` })
    return view()
  }
  return {
    settings: async () => view(),
    async setSetting(input) {
      if (input.value === null) set.delete(input.name)
      else set.set(input.name, input.value)
      return edited()
    },
    secretsKept: async () => kept,
    async moveSecrets(to) {
      const all = kept.count.keychain + kept.count.file
      kept = { ...kept, keep: to, count: to === 'file' ? { keychain: 0, file: all } : { keychain: all, file: 0 } }
      return kept
    },
    async addLocalKey(alias) {
      keys = [...keys, { id: alias, alias, ends: 'Zk3w' }]
      edited()
      return { alias, key: `owk_${'made-for-a-picture-'.repeat(2)}Zk3w` }
    },
    async removeLocalKey(id) {
      keys = keys.filter((key) => key.id !== id)
      return edited()
    },
  } satisfies Partial<ControlApi>
}
