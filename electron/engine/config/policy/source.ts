import { basename, dirname, posix, win32 } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import { followFile } from '../follow-file.ts'
import type { ConfigFiles } from '../types.ts'

/** Where a policy comes from. All sources of a machine hold together, so one more can only narrow. */
export interface PolicySource {
  /** names it for a person, e.g. its path */
  name: string
  /** nothing may run without it */
  required: boolean
  /** null: there is none. @throws where that can't be known */
  read(): Promise<string | null>
  /** calls back when it may be another one than was read */
  follow(onChange: () => void): Disposable
}

export function filePolicy(
  path: string,
  required: boolean,
  deps: { files: Pick<ConfigFiles, 'read' | 'stamp' | 'watch' | 'leadsNowhere'>; clock: Clock; log: Log },
): PolicySource {
  const { files } = deps
  let seen: string | null = null
  return {
    name: path,
    required,
    async read() {
      seen = await files.stamp(path)
      const bytes = await files.read(path)
      if (bytes === null && (await files.leadsNowhere(path)))
        throw new Error('it is a link to a file that is not there')
      return bytes?.toString('utf8') ?? null
    },
    follow(onChange) {
      const followed = followFile({
        ...deps,
        home: dirname(path),
        name: basename(path),
        differs: async () => (await files.stamp(path)) !== seen,
        onChange,
      })
      followed.watch()
      followed.poll()
      return followed
    },
  }
}

/**
 * Where an administrator puts the policy of a machine. Windows is asked for no variable: `ProgramData` of a person's
 * own would take the policy away.
 */
export function systemPolicyPath(platform: NodeJS.Platform): string {
  if (platform === 'win32') return win32.join('C:\\ProgramData', 'Onward', 'policy.json')
  if (platform === 'darwin') return '/Library/Application Support/Onward/policy.json'
  return posix.join('/etc/onward', 'policy.json')
}

/**
 * The policy of the machine and, in addition, the one that `ONWARD_POLICY` names, for containers: both hold, so the
 * variable can't widen anything.
 */
export function policySources(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  deps: Parameters<typeof filePolicy>[2],
): readonly PolicySource[] {
  const system = filePolicy(systemPolicyPath(platform), false, deps)
  const named = env['ONWARD_POLICY'] ?? ''
  return named === '' ? [system] : [system, filePolicy(named, true, deps)]
}
