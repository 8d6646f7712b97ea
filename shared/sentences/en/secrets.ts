import { keysInTrouble, type KeychainTrouble, type SecretsView } from '../../secrets.ts'

export function secretsKept({ count, keychain, keep, path, moving }: SecretsView): string {
  const whereNew = { keychain: 'New keys go to the keychain', file: `New keys go to ${path}, which only you can read` }
  const works = keychain.kind === 'trouble' ? 'file' : 'keychain'
  return [
    count.keychain > 0 && count.file > 0
      ? `${keys(count.keychain)} in the system’s keychain, ${keys(count.file)} in ${path}, which only you can read.`
      : count.keychain > 0
        ? `${keys(count.keychain)} in the system’s keychain.`
        : count.file > 0
          ? `${keys(count.file)} in ${path}, which only you can read.`
          : `${whereNew[keep ?? works]}${keep === null && keychain.kind === 'untried' ? ' where it works, else to a file that only you can read' : ''}.`,
    keychain.kind === 'trouble' && (count.keychain > 0 || keep !== 'file')
      ? `${keychainTrouble(keychain.trouble)}${keychain.said === '' ? '' : ` (${keychain.said})`}.`
      : null,
    moving === null ? null : `Moving to the ${moving} is not through.`,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

export function secretsMend(kept: SecretsView): string | null {
  if (kept.moving !== null && kept.keychain.kind !== 'trouble')
    return `Go on with it: \`onward providers keys --to ${kept.moving}\`.`
  const trouble = keysInTrouble(kept)
  return trouble === null ? null : mends[trouble]
}

export const keychainTrouble = (trouble: KeychainTrouble): string => troubles[trouble]

const troubles: Readonly<Record<KeychainTrouble, string>> = {
  off: 'This engine does not use the keychain',
  'not-built': 'The keychain’s library does not load here',
  locked: 'The keychain is locked',
  unreachable: 'The keychain can’t be reached',
  silent: 'The keychain does not answer; perhaps it asks you to unlock it',
  refused: 'The keychain refused',
}

const mends: Readonly<Record<KeychainTrouble, string>> = {
  off: 'Start Onward without ONWARD_KEYCHAIN=0; or set the keys anew with `onward providers keys --to file` before.',
  'not-built': 'Install Onward anew for this system, or start the engine where the keys were stored and move them.',
  locked: 'Unlock it, for instance by logging in to your desktop. Then: `onward providers test`.',
  unreachable:
    'Start the engine from the session of your desktop, or start a keyring there. Where there is none: `onward providers keys --to file`, and set the keys anew.',
  silent: 'Look for its window and unlock it; the keys count from then on.',
  refused: 'Look at the keychain in your system’s own program for passwords.',
}

const keys = (count: number): string => (count === 1 ? '1 key is' : `${count} keys are`)
