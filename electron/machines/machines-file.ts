/** The machines a person added: `<home>/machines.json`. No secret is in it: ssh has the person's own. */
import { join } from 'node:path'
import { messageOf, OnwardError } from '../engine/base/errors.ts'
import { diskFiles } from '../engine/store/disk-files.ts'
import { parseJson } from '../../shared/parse-json.ts'
import { machineOf, type Machine } from './machine.ts'

export const machinesFile = (home: string): string => join(home, 'machines.json')

/** By name. @throws OnwardError `machines-file`, and those of `machineOf`, whoever wrote the file */
export async function readMachines(home: string): Promise<readonly Machine[]> {
  const file = machinesFile(home)
  const text = await diskFiles()
    .read(file)
    .catch((error: unknown) => {
      throw new OnwardError('machines-file', `${file} can’t be read: ${messageOf(error)}.`, { cause: error })
    })
  if (text === null) return []
  const value = parseJson(text.toString('utf8'))
  const listed: unknown = typeof value === 'object' && value !== null && 'machines' in value ? value.machines : null
  if (!Array.isArray(listed)) throw damaged(file)
  return sorted(listed.map((one: unknown) => machineIn(one, file)))
}

/** @throws OnwardError `machines-file` */
export async function writeMachines(home: string, machines: readonly Machine[]): Promise<void> {
  const file = machinesFile(home)
  const text = `${JSON.stringify({ machines: sorted(machines) }, null, 2)}\n`
  await diskFiles()
    .writeAtomic(file, text)
    .catch((error: unknown) => {
      throw new OnwardError('machines-file', `${file} can’t be written: ${messageOf(error)}.`, { cause: error })
    })
}

/** @throws OnwardError `machine-exists`, and those of reading and writing */
export async function addMachine(home: string, machine: Machine): Promise<void> {
  const others = await readMachines(home)
  const same = others.find(({ name }) => name === machine.name)
  if (same)
    throw new OnwardError(
      'machine-exists',
      `${same.name} is added already, as ${same.target}. Take it away first: \`onward remote remove ${same.name}\`.`,
      { details: { machine: same.name, target: same.target } },
    )
  await writeMachines(home, [...others, machine])
}

/** @param change null: it is forgotten. @throws OnwardError `machine-unknown`, and those of reading and writing */
export async function changeMachine(home: string, name: string, change: { quiet: boolean } | null): Promise<Machine> {
  const machine = await machineNamed(home, name)
  const others = (await readMachines(home)).filter((one) => one.name !== name)
  const changed = change && machineOf({ ...machine, ...change })
  await writeMachines(home, changed ? [...others, changed] : others)
  return changed ?? machine
}

/** @throws OnwardError `machine-unknown` */
export async function machineNamed(home: string, name: string): Promise<Machine> {
  const machines = await readMachines(home)
  const found = machines.find((machine) => machine.name === name)
  if (found) return found
  throw unknownMachine(
    name,
    machines.map((machine) => machine.name),
  )
}

export const unknownMachine = (name: string, known: readonly string[]): OnwardError =>
  new OnwardError(
    'machine-unknown',
    `No machine is called “${name}”.${known.length === 0 ? '' : ` Known: ${known.join(', ')}.`} ` +
      'Add one with `onward remote add <name> user@host`.',
    { status: 404 },
  )

function machineIn(value: unknown, file: string): Machine {
  const {
    name,
    target,
    program = null,
    quiet,
  }: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {}
  if (typeof name !== 'string' || typeof target !== 'string') throw damaged(file)
  if (program !== null && typeof program !== 'string') throw damaged(file)
  return machineOf({ name, target, program, quiet: quiet === true })
}

const damaged = (file: string): OnwardError =>
  new OnwardError('machines-file', `${file} is damaged. Mend it, or delete it and add the machines again.`)

const sorted = (machines: readonly Machine[]): Machine[] =>
  machines.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
