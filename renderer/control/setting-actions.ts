/** A person's orders about single settings of the config, and about who may call. */
import type { Input } from '../../shared/operations/index.ts'
import type { SettingView } from '../../shared/settings.ts'
import type { Acting } from './action-deps.ts'
import { offerConfigUndo } from './undo-config.ts'

type Value = Input<'setSetting'>['value']

export function settingActions(acting: Acting) {
  const { ask, act } = acting
  const set = async (asked: Acting['ask'], { name, value: before }: SettingView, value: Value, said: string) => {
    const outcome = await asked((c) => c.setSetting.mutate({ name, value }))
    if (outcome.ok)
      await offerConfigUndo(acting, said, (c) =>
        c.setSetting.mutate({ name, value: typeof before === 'object' && before !== null ? [...before] : before }),
      )
    return outcome
  }
  return {
    /** a toast offers to take it back; @param value null: back to its default */
    setSetting: (setting: SettingView, value: Value, said: string) => set(ask, setting, value, said),
    /** the same; a refusal is said in a toast, since there is no field that could say it */
    async pickSetting(setting: SettingView, value: boolean | string | null, said: string): Promise<void> {
      await set(act, setting, value, said)
    },
    /** `limits.pauseAt`; a toast offers to take it back */
    async pauseAtLimit(percent: number, said: string): Promise<void> {
      const outcome = await act((c) => c.setSetting.mutate({ name: 'limits.pauseAt', value: percent }))
      if (outcome.ok) await offerConfigUndo(acting, said)
    },
    addLocalKey: (alias: string) => ask((c) => c.addLocalKey.mutate(alias)),
    /** a toast offers to take it back */
    async removeLocalKey(id: string, said: string) {
      const outcome = await act((c) => c.removeLocalKey.mutate(id))
      if (outcome.ok) await offerConfigUndo(acting, said)
      return outcome
    },
  }
}
