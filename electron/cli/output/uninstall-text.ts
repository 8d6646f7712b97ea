/** The output of `onward uninstall`. */
import { keychainService } from '../../keychain/protocol.ts'
import type { KeychainEntries, StayingEntry } from '../../installed/undo/keychain-entries.ts'
import type { LeftAlone, Undo, UndoPlan } from '../../installed/undo/types.ts'
import { oneLine } from './clean.ts'
import { tilde, type Words } from './print.ts'

export function planText({ undoes, leaves }: UndoPlan, words: Words, home: string | undefined): string {
  const { style } = words
  const lines = [
    ...undoes.map((undo) => `  ${style.shape('needs', '◆')} ${undoSaid(undo, home)}\n`),
    ...leaves.map((left) => `  ${style.shape('failed', '▲')} ${leftSaid(left, home)}\n`),
  ]
  return lines.length === 0
    ? `${style.shape('idle', '○')} Nothing of Onward is set up outside its home.\n`
    : `Undoes:\n${lines.join('')}`
}

const list = (paths: readonly string[], home: string | undefined): string =>
  paths.map((path) => oneLine(tilde(path, home))).join(', ')

export function undoSaid(undo: Undo, home: string | undefined): string {
  switch (undo.kind) {
    case 'agent':
      return `the settings of ${undo.client}, as they were before: ${list(undo.files, home)}`
    case 'service':
      return `the ${undo.title}: ${list([undo.file], home)}`
    case 'login':
      return `the start at login: ${list([undo.where], home)}`
    case 'command':
      return `the command: ${list([undo.path], home)}`
  }
}

function leftSaid(left: LeftAlone, home: string | undefined): string {
  switch (left.kind) {
    case 'agent':
      return (
        `Not the settings of ${left.client}: ${list(left.files, home)} changed ` +
        `where Onward wrote. The old text: ${list(left.backups, home)}`
      )
    case 'service':
      return (
        `Not the service: ${list([left.file], home)} was changed ` +
        'by hand. Take it away: onward service uninstall --force'
      )
    case 'login':
      return 'Not the start at login, if it is on: macOS forgets it with the app.'
  }
}

const names = (list: readonly string[]): string => list.map(oneLine).join(', ')

/** Before keys are removed; empty where none is in the keychain. */
export function keysGoText(keys: KeychainEntries): string {
  if (keys.kind === 'unknown')
    return (
      'Which keys are in the system’s keychain is not known, so they ' +
      `stay there, under ${keychainService}: ${oneLine(keys.why)}\n`
    )
  if (keys.entries.length === 0) return ''
  return `Removes from the system’s keychain: ${names(keys.entries.map(({ name }) => name))}.\n`
}

export function keysGoneText(keys: KeychainEntries, stay: readonly StayingEntry[], { style }: Words): string {
  if (keys.kind === 'unknown' || keys.entries.length === 0) return ''
  if (stay.length === 0) return `${style.shape('done', '✓')} The keychain holds none of these keys any more.\n`
  const where = 'Remove them in your system’s own program for passwords'
  return (
    `${style.shape('failed', '▲')} Still in the keychain: ${oneLine(stay[0]?.why ?? '')}. ` +
    `${where}, under ${keychainService}: ${names(stay.map(({ account }) => account))}\n`
  )
}

/** Into the sentence that says what stays. */
export function keysStayText(keys: KeychainEntries): string {
  if (keys.kind === 'unknown') return ' and, as far as there are keys, in the system’s keychain'
  return keys.keys.length === 0 ? '' : `, and in the system’s keychain the keys ${names(keys.keys)}`
}
