/**
 * The first changes of someone new, made on a copy of the sources: the compiler and the tests name each place that
 * wants one more. What stands here is what they name today.
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checks } from '../scripts/check.mjs'

const root = resolve(import.meta.dirname, '..')

/** file, what stands there, and what a newcomer adds after it */
const changes = [
  ['electron/engine/markers/types.ts', "  | { kind: 'clear' }\n", "  | { kind: 'newcomer' }\n"],
  ['shared/notice-classes.ts', "  'proxy-error',\n", "  'newcomer',\n"],
  ['shared/words.ts', "  'kilo',\n", "  'newcomer',\n"],
] as const

/** a vendor that ends a stream with a word of its own: the stream of another, beside what it says */
const dialect = { from: 'chat/golden/groq/reasoning', to: 'chat/golden/newcomer/reasoning', end: 'newcomer_end' }

let copy = ''
const protocol = (path: string): string => join(copy, 'electron/engine/protocol', path)
/** Runs a program of the copy's packages to its end, whatever it finds. @returns what it printed */
const run = (program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    // Which part of the suite runs is this run's choice: inside the copy a file that is named shall run.
    const options = { cwd: copy, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ONWARD_TESTS: '' } }
    execFile(process.execPath, [join('node_modules', program), ...args], options, (_, out) => done(out))
  })
/** @returns the files of the tests among `paths` that fail */
async function failing(...paths: readonly string[]): Promise<string[]> {
  const said = join(copy, 'said.json')
  await run('vitest/vitest.mjs', 'run', '--project', 'unit', ...paths, '--reporter=json', `--outputFile=${said}`)
  const { testResults } = JSON.parse(readFileSync(said, 'utf8')) as { testResults: { name: string; status: string }[] }
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(realpathSync(copy), name))
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'onward-newcomer-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0'))
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  for (const [path, before, added] of changes) {
    const text = readFileSync(join(copy, path), 'utf8')
    expect(text, path).toContain(before)
    writeFileSync(join(copy, path), text.replace(before, before + added))
  }
  mkdirSync(dirname(protocol(dialect.to)))
  cpSync(protocol(`${dialect.from}.facts.json`), protocol(`${dialect.to}.facts.json`))
  const stream = readFileSync(protocol(`${dialect.from}.sse`), 'utf8')
  expect(stream).toContain('"finish_reason":"stop"')
  writeFileSync(
    protocol(`${dialect.to}.sse`),
    stream.replace('"finish_reason":"stop"', `"finish_reason":"${dialect.end}"`),
  )
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('someone new who adds', () => {
  it('a marker, a class of notifications and a client is led from place to place by the compiler', async () => {
    const [program = '', ...args] = checks.types ?? []
    const said = await run(program, ...args, '--pretty', 'false')
    // Where a word of the page is missing, each use of it says so as well.
    const lacking = said.matchAll(/^([^\s(]+)\(\d+,\d+\): error (?!TS7053)/gm)
    expect([...new Set(Array.from(lacking, ([, file]) => file))].toSorted()).toEqual([
      // a client
      'e2e/dashboard/fake/scene.ts',
      // a class of notifications
      'electron/engine/assembly/notices/notices.ts',
      // a marker: what is said where only markers were sent, how it is written, who carries it out
      'electron/engine/markers/emptied.ts',
      'electron/engine/markers/testing/render-marker.ts',
      // a class of notifications
      'electron/engine/notifications/payload.ts',
      // a marker
      'electron/engine/pipeline/request/carry-out-markers.ts',
      // a client: its background work, who it is, what drives it, its terminal, versions seen, its keys
      'electron/engine/sessions/background/profiles.ts',
      'electron/engine/sessions/clients/index.ts',
      'electron/engine/sessions/drives/profiles.ts',
      'electron/engine/terminals/agents/index.ts',
      'electron/engine/terminals/agents/verified.ts',
      'electron/engine/terminals/typing/testing/agents-own-rules.ts',
      'renderer/i18n/en/sessions.ts',
      // a class of notifications
      'shared/sentences/en/notices.ts',
      'shared/sentences/testing/variants.ts',
      'shared/sentences/zh/notices.ts',
    ])
  })

  it('the same is told by the tests what else they want', async () => {
    const asked = [
      'scripts/checks/docs-facts',
      'electron/cli/cli-reference',
      'shared/config',
      'terminals/agents/screens',
    ]
    expect((await failing(...asked, 'sessions/clients/known')).toSorted()).toEqual([
      // `-u` writes docs/cli.md
      'electron/cli/cli-reference.test.ts',
      'electron/engine/sessions/clients/known.test.ts',
      // recorded screens: fresh, busy, and a dialog
      'electron/engine/terminals/agents/screens.test.ts',
      // README, docs/notifications.md, and somebody who tells a notification of the new class
      'scripts/checks/docs-facts.test.ts',
      // `-u` writes docs/config-members.md and schema.json
      'shared/config/reference.test.ts',
      'shared/config/schema-file.test.ts',
    ])
  })

  it('a vendor’s dialect needs its answer, what it says, and the row that the tests name', async () => {
    expect(await failing('electron/engine/protocol/golden.test')).toEqual(['electron/engine/protocol/golden.test.ts'])
    const names = protocol('finish-names.ts')
    writeFileSync(names, readFileSync(names, 'utf8').replace("    'stop',\n", `    'stop',\n    '${dialect.end}',\n`))
    expect(await failing('electron/engine/protocol/golden.test')).toEqual([])
  })
})
