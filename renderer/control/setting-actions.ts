/** A person's orders about single settings of the config, and about who may call. */
import type { SetSettingInput } from '../../shared/control/settings.ts'
import type { NewLocalKey, SettingsView, SettingView } from '../../shared/settings.ts'
import type { Outcome } from './outcome.ts'
import { offerConfigUndo, type UndoConfigDeps } from './undo-config.ts'

export interface SettingActions {
  /** a toast offers to take it back; @param value null: back to its default */
  setSetting(setting: SettingView, value: SetSettingInput['value'], said: string): Promise<Outcome<SettingsView>>
  /** the same; a refusal is said in a toast, since there is no field that could say it */
  pickSetting(setting: SettingView, value: boolean | string | null, said: string): Promise<void>
  /** `limits.pauseAt`; a toast offers to take it back */
  pauseAtLimit(percent: number, said: string): Promise<void>
  addLocalKey(alias: string): Promise<Outcome<NewLocalKey>>
  /** a toast offers to take it back */
  removeLocalKey(id: string, said: string): Promise<Outcome<SettingsView>>
}

export function settingActions(deps: UndoConfigDeps): SettingActions {
  const { ask, act } = deps
  const set = async (
    asked: UndoConfigDeps['ask'],
    { name, value: before }: SettingView,
    value: SetSettingInput['value'],
    said: string,
  ) => {
    const outcome = await asked((c) => c.setSetting.mutate({ name, value }))
    if (outcome.ok)
      await offerConfigUndo(deps, said, (c) =>
        c.setSetting.mutate({ name, value: typeof before === 'object' && before !== null ? [...before] : before }),
      )
    return outcome
  }
  return {
    setSetting: (setting, value, said) => set(ask, setting, value, said),
    async pickSetting(setting, value, said) {
      await set(act, setting, value, said)
    },
    async pauseAtLimit(percent, said) {
      const outcome = await act((c) => c.setSetting.mutate({ name: 'limits.pauseAt', value: percent }))
      if (outcome.ok) await offerConfigUndo(deps, said)
    },
    addLocalKey: (alias) => ask((c) => c.addLocalKey.mutate(alias)),
    async removeLocalKey(id, said) {
      const outcome = await act((c) => c.removeLocalKey.mutate(id))
      if (outcome.ok) await offerConfigUndo(deps, said)
      return outcome
    },
  }
}
