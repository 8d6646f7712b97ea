/** This machine, as a service is written to it. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { loginPath } from '../launch/find-program.ts'
import type { ServiceSystem } from './types.ts'

const answersWithinMs = 30_000

export function nodeServiceSystem(env: Readonly<Record<string, string | undefined>>): ServiceSystem {
  const { uid, username } = userInfo()
  const { platform } = process
  return {
    platform,
    env,
    uid,
    user: username,
    async read(path) {
      return readFile(path).catch((error: unknown) => {
        if (systemCodeOf(error) === 'ENOENT') return null
        throw error
      })
    },
    async write(path, data) {
      const made = await mkdir(dirname(path), { recursive: true })
      const aside = `${path}.${process.pid}.tmp`
      try {
        await writeFile(aside, data)
        // whatever the umask is: the service manager reads it
        await chmod(aside, 0o644)
        await rename(aside, path)
      } finally {
        await rm(aside, { force: true })
      }
      return made ?? null
    },
    remove: (path) => rm(path, { force: true }),
    async removeFolders(from, upTo) {
      for (let at = from; at.startsWith(upTo); at = dirname(at)) {
        const kept = await rmdir(at).then(
          () => false,
          (error: unknown) => {
            if (['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(systemCodeOf(error) ?? '')) return true
            if (systemCodeOf(error) === 'ENOENT') return false
            throw error
          },
        )
        if (kept) return
      }
    },
    run: ([program = '', ...args], withinMs = answersWithinMs) =>
      new Promise((resolve) => {
        execFile(program, args, { env: { ...env }, timeout: withinMs, windowsHide: true }, (error, out, err) => {
          if (error === null) return resolve({ code: 0, out, err })
          const { code } = error
          if (typeof code === 'number') return resolve({ code, out, err })
          if (systemCodeOf(error) === 'ENOENT') return resolve({ code: null, out, err: `${program} is not installed` })
          resolve({ code: -1, out, err: err || error.message })
        })
      }),
    addressOf: async (home) => (await import('../../engine/config/saved-address.ts')).savedAddress(home, env),
    loginPath: () => loginPath({ env, platform }),
    pause: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms)
      }),
  }
}
