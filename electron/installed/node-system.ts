import { access, chmod, constants, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { nodeServiceSystem } from '../cli/service/node-system.ts'
import { systemCodeOf } from '../engine/base/errors.ts'
import type { InstalledSystem } from './types.ts'

export function nodeInstalledSystem(env: Readonly<Record<string, string | undefined>>): InstalledSystem {
  return {
    ...nodeServiceSystem(env),
    linkTarget: (path) =>
      readlink(path).catch((error: unknown) => {
        if (['EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN'].includes(systemCodeOf(error) ?? '')) return null
        throw error
      }),
    async link(target, path) {
      const made = await mkdir(dirname(path), { recursive: true })
      await symlink(target, path)
      return made ?? null
    },
    makeExecutable: (path) => chmod(path, 0o755),
    canWriteIn: (folder) =>
      access(folder, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      ),
  }
}
