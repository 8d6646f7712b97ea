import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../engine/base/clock.ts'
import { messageOf } from '../engine/base/errors.ts'
import { noKeychain, type Keychain } from '../engine/secrets/keychain.ts'
import { createKeychain, type KeychainHelper } from './client.ts'

/** The keychain of the current user, unless it was switched off. Nothing is asked before the first call. */
export const systemKeychain = (env: Readonly<Record<string, string | undefined>>, clock: Clock): Keychain =>
  env.ONWARD_KEYCHAIN === '0'
    ? noKeychain('off', 'ONWARD_KEYCHAIN=0')
    : createKeychain(() => startKeychainHelper(env), clock)

/** Ends with its input, so it never outlives the engine. */
export function startKeychainHelper(
  env: Readonly<Record<string, string | undefined>>,
  program = fileURLToPath(new URL('./keychain-helper.js', import.meta.url)),
): KeychainHelper {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Electron's binary is a plain Node with this; under Node it means nothing.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  })
  // It keeps no engine alive, and a write to one that has ended shows in its end.
  child.unref()
  child.stdin.on('error', () => undefined)
  return {
    send: (line) => void child.stdin.write(line),
    listen(onLine, onEnd) {
      createInterface({ input: child.stdout }).on('line', onLine)
      child.once('error', (error) => onEnd(messageOf(error)))
      child.once('exit', (code, signal) => onEnd(`its process ended with ${signal ?? code}`))
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
