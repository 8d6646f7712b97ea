import { CliError } from '../exit.ts'
import { launchdManager } from './launchd.ts'
import { systemdManager } from './systemd.ts'
import { taskSchedulerManager } from './task-scheduler.ts'
import type { ServiceManager, ServiceSystem } from './types.ts'

/** @throws CliError on a system that has none of the three */
export function managerOf(system: ServiceSystem): ServiceManager {
  switch (system.platform) {
    case 'linux':
      return systemdManager(system)
    case 'darwin':
      return launchdManager(system)
    case 'win32':
      return taskSchedulerManager(system)
    default:
      throw new CliError('failed', `Onward knows no service manager of ${system.platform}.`, {
        hint: 'Let whatever starts programs here run `onward serve --json`.',
      })
  }
}
