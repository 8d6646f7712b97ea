// `npm test [topic…]`, with --all `npm run test:all`, and with --rest what of that `npm test` did not run. What is no
// topic goes to vitest.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const which = ['--all', '--rest'].find((flag) => args.includes(flag))?.slice(2)

/** The other words of a topic stand beside the list of what runs when; Node 20 can't import TypeScript. */
function alsoCalled(word) {
  const list = readFileSync(join(root, 'e2e/which-run.ts'), 'utf8')
  const [, found] =
    new RegExp(`^  '?${word}'?: \\[([^\\]]*)\\]`, 'm').exec(list.slice(list.indexOf('export const topics'))) ?? []
  return found?.match(/[^',\s][^',]*/g) ?? []
}

const words = args
  .filter((arg) => arg !== `--${which}`)
  .flatMap((arg) => (/^[a-z-]+$/.test(arg) && !arg.startsWith('-') ? [arg, ...alsoCalled(arg)] : [arg]))
const { status, signal } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...words],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(which && { ONWARD_TESTS: which }) },
  },
)
process.exitCode = status ?? (signal ? 1 : 0)
