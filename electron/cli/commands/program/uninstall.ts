import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { programGoes } from '../../../installed/install.ts'
import type { InstalledParts } from '../../../installed/parts.ts'
import type { KeychainEntries, StayingEntry } from '../../../installed/undo/keychain-entries.ts'
import type { UndoPlan, LeftAlone, Undo } from '../../../installed/undo/types.ts'
import { findRunningEngine } from '../../../engine/control/attach.ts'
import { messageOf } from '../../../engine/base/errors.ts'
import { keychainService } from '../../../keychain/protocol.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError, exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, tilde, wordsOf, type Words } from '../../output/print.ts'
import { confirmTyped } from '../../person.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { takeOver } from '../../take-over.ts'
import { agreed } from './service-place.ts'

interface Options {
  data?: boolean
  yes?: boolean
  dryRun?: boolean
}

export function addUninstall(program: Command, cli: Cli): void {
  const command = program
    .command('uninstall')
    .summary('undo what Onward set up on this machine')
    .description(
      'Puts back the settings of agents that were set up for good, ' +
        'takes away the service, the start at login and the command, ' +
        'and ends the engine, so that agents work without Onward. ' +
        'Shows it first. The home stays, unless you say --data.',
    )
    .option(
      '--data',
      'remove the home as well: sessions, goals, alarms, records, config, and keys, also from the keychain',
    )
    .option('--yes', 'without asking')
    .option('--dry-run', 'show it, and do nothing')
  examples(withCommon(command), [
    ['onward uninstall', 'shows what it undoes, and asks'],
    ['onward uninstall --dry-run', 'only shows it'],
    ['onward uninstall --data', 'and removes the home, after you typed a word'],
  ])
  command.action(() => uninstall(command, cli))
}

async function uninstall(command: Command, cli: Cli): Promise<void> {
  const options = command.opts<Options>()
  const json = wantsJson(command)
  const words = wordsOf(cli)
  const { home } = placeOf(command, cli)
  const person = cli.env.HOME || homedir()
  const parts = await cli.parts.installed()
  if (options.data) parts.refuseOther(home, person)
  const plan = await parts.planUndo({
    ...parts,
    home,
    usualHome: join(person, '.onward'),
    setups: parts.agentSetupsOf(home, { home: person, env: cli.env }),
  })
  const engine = await findRunningEngine(home)
  const keys = await parts.keychainEntriesOf(home)
  if (!json) {
    cli.out(planText(plan, words, person))
    if (engine)
      cli.out(
        `Ends the engine (pid ${engine.pid}): agents that it started have no model until they are started anew.\n`,
      )
    if (options.data) cli.out(`Removes ${oneLine(home)} with all that is in it.\n${keysGoText(keys)}`)
  }
  if (options.dryRun) return json ? printJson(cli, { ...shown(plan), keys, done: false }) : undefined
  const nothing = plan.undoes.length === 0 && engine === null && !options.data
  if (!nothing && !agreed('Do this?', options, cli, json)) return cli.out('Nothing was changed.\n')
  if (options.data && !options.yes) confirmData(home, cli)

  const failed = await undoAll(plan, parts, command, cli, json)
  const alone = plan.leaves.some(({ kind }) => kind !== 'login')
  if (failed.length > 0) cli.exitWith(exitCodes.failed.code)
  // The old texts of settings that were not put back lie there.
  const keep = failed.length > 0 || alone
  if (options.data && keep && !json)
    cli.out(`${words.style.shape('failed', '▲')} ${oneLine(home)} stays: what was not undone needs it.\n`)
  const removed = options.data === true && !keep
  // Before the file that names them.
  const stay = removed && keys.kind === 'known' ? await parts.removeEntries(keys.entries, parts.keychain()) : []
  if (removed) await parts.removeHome(home, person)
  if (removed && !json) cli.out(keysGoneText(keys, stay, words))
  if (stay.length > 0 || (removed && keys.kind === 'unknown')) cli.exitWith(exitCodes.failed.code)
  if (options.data && keep) cli.exitWith(exitCodes.failed.code)
  const goes = programGoes(parts.install)
  if (json) return printJson(cli, { ...shown(plan), done: true, failed, removed, keys, stay, program: goes })
  if (!options.data) {
    const also = keysStayText(keys)
    cli.out(`What Onward keeps stays in ${oneLine(tilde(home, person))}${also}: onward uninstall --data\n`)
  }
  cli.out(`The program itself: ${oneLine(goes)}\n`)
}

function confirmData(home: string, cli: Cli): void {
  if (!cli.tty.in || !cli.tty.err) throw new CliError('refused', 'Removing the home needs a person, or --yes.')
  confirmTyped(cli, `Type remove to lose all that is in ${oneLine(home)}: `, ['remove'], 'Nothing was changed.')
}

async function undoAll(
  { undoes }: UndoPlan,
  parts: InstalledParts,
  command: Command,
  cli: Cli,
  json: boolean,
): Promise<readonly { what: string; why: string }[]> {
  const { style } = wordsOf(cli)
  const say = (shape: 'done' | 'failed', text: string) => {
    if (!json) cli.out(`${style.shape(shape, shape === 'done' ? '✓' : '▲')} ${text}\n`)
  }
  const failed = (await parts.runUndo(undoes, (undo) => say('done', `Undone: ${undoSaid(undo, cli.env.HOME)}`))).map(
    ({ undo, why }) => ({ what: undoSaid(undo, cli.env.HOME), why }),
  )
  try {
    // Last: no lasting set-up points at the engine any more.
    const ended = await takeOver(placeOf(command, cli), cli)
    if (ended) say('done', 'The engine has ended.')
  } catch (error) {
    failed.push({ what: 'the engine', why: messageOf(error) })
  }
  for (const { what, why } of failed) say('failed', `Not undone: ${what}. ${oneLine(why)}`)
  return failed
}

/** JSON leaves out how each is done. */
const shown = ({ undoes, leaves }: UndoPlan) => ({ undoes, leaves })

function planText({ undoes, leaves }: UndoPlan, words: Words, home: string | undefined): string {
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

function undoSaid(undo: Undo, home: string | undefined): string {
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
function keysGoText(keys: KeychainEntries): string {
  if (keys.kind === 'unknown')
    return (
      'Which keys are in the system’s keychain is not known, so they ' +
      `stay there, under ${keychainService}: ${oneLine(keys.why)}\n`
    )
  if (keys.entries.length === 0) return ''
  return `Removes from the system’s keychain: ${names(keys.entries.map(({ name }) => name))}.\n`
}

function keysGoneText(keys: KeychainEntries, stay: readonly StayingEntry[], { style }: Words): string {
  if (keys.kind === 'unknown' || keys.entries.length === 0) return ''
  if (stay.length === 0) return `${style.shape('done', '✓')} The keychain holds none of these keys any more.\n`
  const where = 'Remove them in your system’s own program for passwords'
  return (
    `${style.shape('failed', '▲')} Still in the keychain: ${oneLine(stay[0]?.why ?? '')}. ` +
    `${where}, under ${keychainService}: ${names(stay.map(({ account }) => account))}\n`
  )
}

/** Into the sentence that says what stays. */
function keysStayText(keys: KeychainEntries): string {
  if (keys.kind === 'unknown') return ' and, as far as there are keys, in the system’s keychain'
  return keys.keys.length === 0 ? '' : `, and in the system’s keychain the keys ${names(keys.keys)}`
}
