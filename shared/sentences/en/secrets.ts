import {
  isUnfinished,
  keysInTrouble,
  secretPlaces,
  type KeychainTrouble,
  type SecretsView,
} from '../../secrets/secrets.ts'

export function secretsKept({
  count,
  keychain,
  keep,
  path,
  moving,
  strays,
  unnamed = [],
  swept = [],
}: SecretsView): string {
  const whereNew = { keychain: 'New keys go to the keychain', file: `New keys go to ${path}, which only you can read` }
  const works = keychain.kind === 'trouble' ? 'file' : 'keychain'
  return [
    count.keychain > 0 && count.file > 0
      ? `${keys(count.keychain)} in the system’s keychain, ${keys(count.file)} in ${path}, which only you can read.`
      : count.keychain > 0
        ? `${keys(count.keychain)} in the system’s keychain.`
        : count.file > 0
          ? `${keys(count.file)} in ${path}, which only you can read.`
          : `${whereNew[keep ?? works]}` +
            (keep === null && keychain.kind === 'untried'
              ? ' where it works, else to a file that only you can read'
              : '') +
            '.',
    keychain.kind === 'trouble' && (count.keychain > 0 || keep !== 'file')
      ? `${keychainTrouble(keychain.trouble)}${keychain.said === '' ? '' : ` (${keychain.said})`}.`
      : null,
    keychain.kind === 'trouble' && keep === null && count.file > 0 ? 'So new keys go to the file.' : null,
    unnamed.length === 0
      ? null
      : `Nothing in the config names ${unnamed.join(', ')}: removed once no undo brings that back, at the next start ` +
        'at the latest.',
    swept.length === 0 ? null : `Removed, because nothing named them any more: ${swept.join(', ')}.`,
    moving === null ? null : `Moving to the ${moving} is not through.`,
    ...secretPlaces.map((place) => {
      const names = strays.filter((stray) => stray.place === place).map(({ name }) => name)
      return names.length === 0 ? null : `Copies that do not count may still be in the ${place}: ${names.join(', ')}.`
    }),
  ]
    .filter((part) => part !== null)
    .join(' ')
}

export function secretsMend(kept: SecretsView): string | null {
  const { keychain, moving, strays, keep } = kept
  const trouble = keysInTrouble(kept)
  if (trouble !== null) return keep === 'file' ? (fileChosen[trouble] ?? mends[trouble]) : mends[trouble]
  if (!isUnfinished(kept)) return null
  if (keychain.kind === 'trouble' && strays.every(({ place }) => place === 'keychain'))
    return `They go once the keychain can be used again. ${opens[keychain.trouble]}`
  return `Onward tries again by itself; at once: \`onward providers keys --to ${moving ?? keep ?? 'file'}\`.`
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

/** How it can be used. */
const opens: Readonly<Record<KeychainTrouble, string>> = {
  off: 'Start Onward without ONWARD_KEYCHAIN=0.',
  'not-built': 'Install Onward anew for this system.',
  locked: 'Unlock it, for instance by logging in to your desktop.',
  unreachable: 'Start the engine from the session of your desktop, or start a keyring there.',
  silent: 'Look for its window and unlock it.',
  refused: 'Look at the keychain in your system’s own program for passwords.',
}

const without =
  'To do without it: `onward providers keys --to file` keeps new keys in the file. ' +
  'Then set each key anew; the old ones stay in the keychain until it can be used.'

const mends: Readonly<Record<KeychainTrouble, string>> = {
  off: `${opens.off} ${without}`,
  'not-built': `${opens['not-built']} ${without}`,
  locked: `${opens.locked} Then: \`onward providers test\`.`,
  unreachable: `${opens.unreachable} ${without}`,
  silent: 'Look for its window and unlock it; the keys count from then on.',
  refused: opens.refused,
}

/** Where the file was chosen, and keys could not be brought there. */
const anew = 'New keys go to the file: set these anew there. Or move them once the keychain can be used'
const fileChosen: Partial<Readonly<Record<KeychainTrouble, string>>> = {
  off: `${anew}: start Onward without ONWARD_KEYCHAIN=0.`,
  'not-built': `${anew}: install Onward anew for this system.`,
  unreachable: `${anew}: start the engine from the session of your desktop.`,
}

const keys = (count: number): string => (count === 1 ? '1 key is' : `${count} keys are`)
