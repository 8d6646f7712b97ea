import type { SetupObstacle } from '../../../../shared/setup/first-run.ts'
import type { SetUpClient } from '../../../../shared/setup/set-up-clients.ts'
import { OnwardError } from '../../base/errors.ts'

export const shownOtherwise = (client: SetUpClient): OnwardError =>
  new OnwardError(
    'setup-changed',
    `The settings of ${client} are not as they were shown, so nothing was written. Look at them again.`,
    { status: 409 },
  )

export const setupChanged = (paths: readonly string[], folder: string): OnwardError =>
  new OnwardError(
    'setup-changed',
    `${paths.join(' and ')} changed where Onward wrote, so nothing was undone. The old text lies in ${folder}.`,
    { details: { backup: folder }, status: 409 },
  )

export function refusedSetup({ code, path }: { code: SetupObstacle; path: string | null }): OnwardError {
  const why = {
    'unreadable-file': `${path ?? 'Its settings file'} has a mistake or is no text. Mend it first.`,
    'server-keys':
      'Callers of this engine have to send a key, and Onward writes ' +
      'none into an agent’s file. Start it with `onward` instead.',
    'taken-name': `${path ?? 'Its settings file'} names a provider “onward” already. Take that out first.`,
  }[code]
  return new OnwardError('setup-refused', `Nothing was written. ${why}`, { details: { obstacle: code }, status: 409 })
}
