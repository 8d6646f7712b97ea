import { basename } from 'node:path'
import { splitCommand } from '../../../../shared/commands/split-command.ts'

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
export function filesOfProgram(argv: readonly string[]): readonly string[] {
  const program = programOf(argv)
  return Object.hasOwn(ownFiles, program) ? (ownFiles[program] ?? []) : []
}

/** The commands of a script, as words, as far as that can be seen without a shell. */
export const commandsOfScript = (script: string): string[][] =>
  script
    .split(/&&|\|\||[;|&\n()]/)
    .map((command) => splitCommand(command) ?? command.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)

const programOf = (argv: readonly string[]): string =>
  basename(argv[0] ?? '')
    .replace(/\.(cmd|exe)$/i, '')
    .toLowerCase()
