import type { ControlApi } from '../../../../../shared/operations/index.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Secrets } from '../../../config/secrets-file.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { keepSecret } from '../../provider-edit/keep-secret.ts'

export interface TelemetryApiDeps {
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
