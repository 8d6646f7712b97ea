import { z } from 'zod'
import { OnwardError } from '../../base/errors.ts'
import { readText, type Path } from '../../config/read-text.ts'
import { argvProblem, hasInvisible, splitCheckCommand } from './split-command.ts'

/**
 * The file in which a folder declares its checks. An agent can write it as well as a person, so nothing in it counts as
 * approved.
 */
export const declarationFile = '.onward.json'

export interface DeclaredCheck {
  name: string
  argv: readonly string[]
  /** null: what the config says */
  timeoutSeconds: number | null
}

export interface Declaration {
  /** those that can be read, in their order */
  checks: readonly DeclaredCheck[]
  /** the first thing that is wrong with the file, in a sentence; null: nothing */
  problem: string | null
}

export const MOST_CHECKS = 50
export const nothingDeclared: Declaration = { checks: [], problem: null }

const fileShape = z.looseObject({ checks: z.unknown().optional() })
const nameShape = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !hasInvisible(name))
const entryShape = z.looseObject({
  run: z.union([z.string(), z.array(z.string())]),
  timeoutSeconds: z.int().min(1).max(7_200).optional(),
})

interface Entry {
  path: Path
  name: unknown
  value: unknown
}

/** Reads `{ "checks": [ { "name", "run", "timeoutSeconds" } ] }`, or `{ "checks": { "<name>": "<command>" } }`. */
export function readDeclaration(text: string): Declaration {
  const { read, problems } = readText(text, null)
  const [first] = problems
  if (read === null || first !== undefined)
    return {
      checks: [],
      problem: `${declarationFile}, line ${first?.line ?? 1}: ${first?.message ?? 'This can’t be read.'}`,
    }
  let problem: string | null = null
  const complain = (path: Path, message: string) => {
    problem ??= `${declarationFile}, line ${read.lineOf(path)}: ${message}`
  }

  const file = fileShape.safeParse(read.value)
  if (!file.success)
    return { checks: [], problem: `${declarationFile}, line 1: The file has to be an object: { "checks": [ … ] }.` }
  const entries = entriesOf(file.data.checks)
  if (entries === null)
    return {
      checks: [],
      problem: `${declarationFile}, line ${read.lineOf(['checks'])}: “checks” has to be a list of checks.`,
    }
  if (entries.length > MOST_CHECKS)
    complain(['checks'], `There are ${entries.length} checks; ${MOST_CHECKS} is the most.`)

  const checks = new Map<string, DeclaredCheck>()
  for (const entry of entries.slice(0, MOST_CHECKS)) {
    const check = readEntry(entry, complain)
    if (check === null) continue
    if (checks.has(check.name))
      complain(entry.path, `Two checks are called “${check.name}”; only one of them can count.`)
    else checks.set(check.name, check)
  }
  return { checks: [...checks.values()], problem }
}

function entriesOf(checks: unknown): Entry[] | null {
  if (checks === undefined) return []
  if (Array.isArray(checks))
    return checks.map((value: unknown, at) => ({
      path: ['checks', at],
      name: isRecord(value) ? value['name'] : undefined,
      value,
    }))
  if (!isRecord(checks)) return null
  return Object.entries(checks).map(([name, value]) => ({
    path: ['checks', name],
    name,
    value: isRecord(value) ? value : { run: value },
  }))
}

function readEntry(
  { path, name: named, value }: Entry,
  complain: (path: Path, message: string) => void,
): DeclaredCheck | null {
  const name = nameShape.safeParse(named)
  if (!name.success) {
    complain(path, 'A check needs a “name” of 1 to 200 characters that can be seen.')
    return null
  }
  const entry = entryShape.safeParse(value)
  if (!entry.success) {
    const member = entry.error.issues[0]?.path[0]
    complain(
      path,
      member === 'timeoutSeconds'
        ? `The “timeoutSeconds” of “${name.data}” has to be a whole number from 1 to 7200.`
        : `“${name.data}” needs a “run”: a command, or a list of its words.`,
    )
    return null
  }
  const { run, timeoutSeconds = null } = entry.data
  try {
    const argv = typeof run === 'string' ? splitCheckCommand(run) : run
    const problem = argvProblem(argv)
    if (problem === null) return { name: name.data, argv, timeoutSeconds }
    complain([...path, 'run'], `“${name.data}” can’t be run. ${problem}`)
  } catch (error) {
    if (!OnwardError.isInstance(error)) throw error
    complain([...path, 'run'], `“${name.data}” can’t be run. ${error.message}`)
  }
  return null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
