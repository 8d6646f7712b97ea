import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import type { KeptSecrets } from '../../../secrets/kept-secrets.ts'

export interface SecretsApiDeps {
  config: Pick<ConfigHandle, 'reload'>
  secrets: Pick<KeptSecrets, 'view' | 'move'>
}

export function secretsApi({ config, secrets }: SecretsApiDeps): Pick<ControlApi, 'secretsKept' | 'moveSecrets'> {
  return {
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
  }
}
