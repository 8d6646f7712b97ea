import type { Input } from '../../shared/operations/index.ts'
import type { SettingView } from '../../shared/settings.ts'
import type { Acting } from './action-deps.ts'
import type { ControlClient } from './socket.ts'

/** A person's orders about settings: single ones of the config, quiet hours, places outside, and who may call. */

type Value = Input<'setSetting'>['value']

export function settingActions(acting: Acting) {
  const { ask, act, words } = acting
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
    /** a refusal is said in a toast */
    async switchQuietHours(input: Input<'setQuietHours'>): Promise<void> {
      await act((c) => c.setQuietHours.mutate(input))
    },
    /** a toast offers to take it back; a refusal is the field's to say */
    async setQuietTime(member: 'from' | 'to', time: string, before: string, said: string) {
      const outcome = await ask((c) => c.setQuietHours.mutate({ [member]: time }))
      if (outcome.ok) await offerConfigUndo(acting, said, (c) => c.setQuietHours.mutate({ [member]: before }))
      return outcome
    },
    saveOutside: (input: Input<'saveOutside'>) => ask((c) => c.saveOutside.mutate(input)),
    /** a toast offers to take it back */
    async removeOutside(name: string): Promise<void> {
      const removed = await act((c) => c.removeOutside.mutate(name))
      if (removed.ok) await offerConfigUndo(acting, words().w.outside.removed(name))
    },
    testOutside: (name: string) => ask((c) => c.testOutside.mutate(name)),
    addLocalKey: (alias: string) => ask((c) => c.addLocalKey.mutate(alias)),
    /** a toast offers to take it back */
    async removeLocalKey(id: string, said: string) {
      const outcome = await act((c) => c.removeLocalKey.mutate(id))
      if (outcome.ok) await offerConfigUndo(acting, said)
      return outcome
    },
  }
}

/**
 * Offers to take back the edit of the config that was made just now, whose bytes and comments come back then. Undo
 * takes back the last edit, of any author: when there was another one since, `otherwise` is done, or it is said that it
 * is too late.
 */
async function offerConfigUndo(
  { ask, act, toasts, words }: Acting,
  said: string,
  otherwise: ((client: ControlClient) => Promise<unknown>) | null = null,
): Promise<void> {
  const after = await ask((c) => c.routing.query())
  toasts.undoable(said, async () => {
    const now = await act((c) => c.routing.query())
    if (!now.ok) return
    if (after.ok && now.value.savedAt === after.value.savedAt) await act((c) => c.undoConfig.mutate())
    else if (otherwise) await act(otherwise)
    else toasts.failed(words().w.providers.undoTooLate)
  })
}
