import { createHash } from 'node:crypto'
import { isAbsolute, relative, basename } from 'node:path'
import { z } from 'zod'
import { readInside } from '../open-inside.ts'
import type { FileMark } from './approvals.ts'
import { splitCommand } from '../../../../shared/commands/split-command.ts'

const MOST_FILES = 64
const MOST_WORDS = 1_000
const MOST_BYTES = 4 * 1024 * 1024
const MOST_DEPTH = 5

const manifestShape = z.looseObject({ scripts: z.record(z.string(), z.unknown()) })

/**
 * Files of the folder that a command names, and the scripts of package.json it goes through, so that a person can be
 * told that an approved check is no longer the same. It is no fence: files that those load are not followed. `folder`:
 * its real path. Never rejects.
 */
export async function filesItRuns(folder: string, argv: readonly string[]): Promise<FileMark[]> {
  const marks = new Map<string, string>()
  const seen = new Set<string>()
  let scripts: Readonly<Record<string, unknown>> | null = null
  const used = new Map<string, string>()

  const markFile = async (word: string) => {
    const path = isAbsolute(word) ? relative(folder, word) : word
    if (path === '' || seen.has(path) || seen.size >= MOST_WORDS || marks.size >= MOST_FILES) return
    seen.add(path)
    const file = await readInside({ folder, closed: [] }, path, MOST_BYTES)
    if (file.ok) marks.set(file.path, createHash('sha256').update(`${file.size}\n`).update(file.bytes).digest('hex'))
  }

  const follow = async (words: readonly string[], depth: number): Promise<void> => {
    for (const word of [...words, ...filesOfProgram(words)]) {
      await markFile(word)
      // `--config=path`
      const value = /^[^=]+=(.+)$/.exec(word)?.[1]
      if (value !== undefined) await markFile(value)
      // the text after `sh -c`
      if (/\s/.test(word) && depth < MOST_DEPTH)
        for (const command of commandsOfScript(word)) await follow(command, depth + 1)
    }
    const script = calledScript(words)
    if (script === null || depth >= MOST_DEPTH) return
    scripts ??= await scriptsOf(folder)
    for (const name of [`pre${script}`, script, `post${script}`]) {
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      if (typeof text !== 'string' || used.has(name) || used.size >= MOST_FILES) continue
      used.set(name, text)
      for (const command of commandsOfScript(text)) await follow(command, depth + 1)
    }
  }

  await follow(argv, 0)
  // Only those scripts of package.json: otherwise every new dependency would count as a change.
  if (used.size > 0 && !marks.has('package.json'))
    marks.set(
      'package.json',
      createHash('sha256')
        .update(JSON.stringify([...used]))
        .digest('hex'),
    )
  return [...marks].map(([path, sha256]) => ({ path, sha256 }))
}

async function scriptsOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const file = await readInside({ folder, closed: [] }, 'package.json', MOST_BYTES)
  if (!file.ok) return {}
  try {
    const manifest = manifestShape.safeParse(JSON.parse(file.bytes.toString('utf8')))
    return manifest.success ? manifest.data.scripts : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Words that package managers run as a script without `run`, such as `test`. */
const shortForms: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
}

/** Which script of package.json a command runs; null: none that can be seen. `bun test` is bun's own. */
export function calledScript(argv: readonly string[]): string | null {
  const program = programOf(argv)
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(program)) return null
  const [order, name] = argv.slice(1).filter((word) => !word.startsWith('-'))
  if (order === undefined) return null
  if (['run', 'run-script'].includes(order)) return name ?? null
  if (program === 'bun') return null
  // yarn and pnpm run scripts by their bare names as well
  return Object.hasOwn(shortForms, order) ? (shortForms[order] ?? null) : program === 'npm' ? null : order
}

/** Files that programs read unasked and take their commands from. */
const ownFiles: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', '.justfile', 'Justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
}
function filesOfProgram(argv: readonly string[]): readonly string[] {
  const program = programOf(argv)
  return Object.hasOwn(ownFiles, program) ? (ownFiles[program] ?? []) : []
}

/** The commands of a script, as words, as far as that can be seen without a shell. */
const commandsOfScript = (script: string): string[][] =>
  script
    .split(/&&|\|\||[;|&\n()]/)
    .map((command) => splitCommand(command) ?? command.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)

const programOf = (argv: readonly string[]): string =>
  basename(argv[0] ?? '')
    .replace(/\.(cmd|exe)$/i, '')
    .toLowerCase()
