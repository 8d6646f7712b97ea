/**
 * Asks the system's keychain, apart from the engine: the library blocks its thread until the keychain answers, which
 * may be until a person has typed a password. This process can be ended at any time.
 */
import { createInterface } from 'node:readline'
import { askLibrary, type KeyringLibrary } from '../keychain/library.ts'
import type { KeychainCall } from '../keychain/protocol.ts'

const ask = askLibrary(async () => (await import('@napi-rs/keyring')) satisfies KeyringLibrary)
const lines = createInterface({ input: process.stdin })
let queue: Promise<void> = Promise.resolve()
lines.on('line', (line) => {
  queue = queue.then(async () => {
    // The engine is the only one that writes here, and wrote it with the type.
    const answer = await ask(JSON.parse(line) as KeychainCall)
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  })
})
// An ordinary exit would wait for the library's threads.
lines.on('close', () => process.kill(process.pid, 'SIGKILL'))
