import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { ConfigTextView } from '../../../../../shared/config/config-text.ts'
import type { ConfigHandle, ConfigText } from '../../../config/types.ts'

type Config = Pick<ConfigHandle, 'path' | 'check' | 'read' | 'save' | 'putBack'>

/** The config file as a person edits it whole. The reader of the running config decides which text is valid. */
export function configTextApi(
  config: Config,
): Pick<ControlApi, 'configText' | 'checkConfigText' | 'saveConfigText' | 'putBackConfig'> {
  const viewOf = ({ text, revision }: ConfigText): ConfigTextView => ({
    path: config.path,
    text,
    revision,
    problems: text === null ? [] : config.check(text).problems,
  })
  return {
    configText: async () => viewOf(await config.read()),
    checkConfigText: async (text) => config.check(text).problems,
    async saveConfigText({ text, revision }) {
      const done = await config.save(text, revision)
      return done.kind === 'refused' ? done : { kind: done.kind, ...viewOf(done) }
    },
    putBackConfig: async () => ({ kept: await config.putBack() }),
  }
}
