import { noSync } from '../../../../shared/alarms.ts'
import type { Config } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/ids.ts'
import type { Store } from '../../store/types.ts'
import type { TimeSync } from '../types.ts'

export interface TimeSyncDeps {
  store: Store
  clock: Clock
  random: Random
  log: Log
  env: Readonly<Record<string, string | undefined>>
  config(): Config['clock']['ntp']
}

/** Best effort: what no server says is this computer's own time. */
export function createTimeSync({ clock }: TimeSyncDeps): TimeSync {
  return {
    start: async () => undefined,
    clock,
    state: () => noSync,
    onChange: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  }
}
