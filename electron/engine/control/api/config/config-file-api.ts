import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { ConfigTextView } from '../../../../../shared/config/config-text.ts'
import type { EngineStatus } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Secrets } from '../../../config/secrets-file.ts'
import type { ConfigHandle, ConfigText } from '../../../config/types.ts'
import type { KeptSecrets } from '../../../secrets/kept-secrets.ts'
import { keepSecret } from '../../provider-edit/keep-secret.ts'

export interface ConfigFileApiDeps {
  config: ConfigHandle
  secrets: Pick<KeptSecrets, 'view' | 'move'>
  servertools(): NonNullable<EngineStatus['servertools']>
  /** notices that wait for the end of quiet hours */
  quietHeld(): number
}

const quietHours = ['notifications', 'quietHours'] as const

/**
 * The config file as a person edits it whole, and members of it that are set together. The reader of the running config
 * decides which text is valid.
 */
export function configFileApi({ config, secrets, servertools, quietHeld }: ConfigFileApiDeps) {
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
    async setQuietHours(input) {
      const on = input.on ?? config.current().notifications.quietHours.on
      // A single member would make hours that no one switched on: hours in the file are on by being there.
      const members = Object.entries({ ...input, on }).filter(([, value]) => value !== undefined)
      await config.edit(members.map(([name, value]) => ({ path: [...quietHours, name], value })))
      return { ...config.current().notifications.quietHours, held: quietHeld() }
    },
    secretsKept: () => secrets.view(),
    async moveSecrets(to) {
      try {
        await secrets.move(to)
      } finally {
        // A keychain that answers by now has keys that it did not give before.
        await config.reload()
      }
      return secrets.view()
    },
    async setServertool({ tool, on }) {
      const { by, tools } = servertools()
      if (tool === null && by === 'env')
        throw new OnwardError(
          'servertool-env',
          'ROUTECODEX_SERVER_TOOLS decides this. Start Onward without it to switch them here.',
          { status: 409 },
        )
      if (tool !== null && !tools.some(({ name }) => name === tool))
        throw new OnwardError('servertool-unknown', `There is no tool “${tool}”.`, { status: 404 })
      const one = tool === 'clock' ? ['clock', 'enabled'] : ['servertools', 'tools', tool ?? '']
      await config.edit([{ path: tool === null ? ['servertools', 'enabled'] : one, value: on ?? undefined }])
      return servertools()
    },
  } satisfies Partial<ControlApi>
}

interface TelemetryApiDeps {
  config: Pick<ConfigHandle, 'edit' | 'reload'>
  secrets: Secrets
}

/** Headers for a collector as a person changes them from here: their values are kept as secrets. */
export function telemetryApi({ config, secrets }: TelemetryApiDeps) {
  return {
    async saveCollectorHeader({ name, secret }) {
      const value = secret.trim()
      if (!/^[\x20-\x7e]+$/.test(value))
        throw new OnwardError('bad-key', 'That is no header: it is empty, or holds characters that no header has.', {
          status: 400,
        })
      await config.reload()
      const ref = await keepSecret(secrets, `collector-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`, value)
      try {
        await config.edit([{ path: ['telemetry', 'headers', name], value: { secretRef: ref } }])
      } catch (error) {
        await secrets.remove(ref)
        throw error
      }
    },
  } satisfies Partial<ControlApi>
}
