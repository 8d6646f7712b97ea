/** What `onward uninstall` prints. */
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
      return `Not the settings of ${left.client}: ${list(left.files, home)} changed where Onward wrote. The old text: ${list(left.backups, home)}`
    case 'service':
      return `Not the service: ${list([left.file], home)} was changed by hand. Take it away: onward service uninstall --force`
    case 'login':
      return 'Not the start at login, if it is on: macOS forgets it with the app.'
  }
}
