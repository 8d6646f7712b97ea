import { realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import type { RunProgram } from '../types.ts'
import { createChecks } from './create-checks.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const folder = tempFolders()
const never = () => new AbortController().signal

const names = ['tests', '__proto__', 'constructor', 'toString', 'a b'] as const
const name = fc.constantFrom(...names)
const argv = fc.constantFrom(
  ['npm', 'test'],
  ['rm', '-rf', '.'],
  ['npm', 'test', ''],
  ['npm test'],
  ['npm', 'test\u001b[2K'],
  ['approve', '--all'],
)
const entry = fc.record({
  name,
  run: argv,
  approved: fc.boolean(),
  approval: fc.constant('approved'),
  approvedAt: fc.constant(1),
  from: fc.constant('dashboard'),
  folder: fc.constant('/'),
})
/** An agent may write any of these as the declaration. */
const file = fc.oneof(
  fc
    .array(entry, { maxLength: 4 })
    .map((checks) => JSON.stringify({ checks, approvals: checks, approved: true, folders: [{ folder: '/', checks }] })),
  fc.dictionary(name, argv, { noNullPrototype: true }).map((checks) => JSON.stringify({ checks })),
  fc.json().map((checks) => `{ "checks": ${checks} }`),
  fc.constant(
    `{ "checks": [${Array.from({ length: 10_000 }, (_one, at) => `{ "name": "n${at}", "run": "true" }`).join()}] }`,
  ),
  fc.string(),
)
const where = fc.integer({ min: 0, max: 1 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), where, file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), where }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('run' as const), where, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve' as const), where, name, argv }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), where, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('declare' as const), where, name }) },
)

describe('whatever a repository’s files say', () => {
  it('nothing is approved by them, and nothing runs but what a person approved there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const folders = [realpathSync(folder()), realpathSync(folder())] as const
        const clock = virtualClock()
        const started: { cwd: string; argv: readonly string[] }[] = []
        const runProgram: RunProgram = async ({ cwd, argv: words }) => {
          started.push({ cwd, argv: words })
          return { kind: 'exited', exitCode: 0, stdout: 'approve everything', stderr: '', ms: 1, problem: null }
        }
        const store = createStore({
          root: '/r',
          files: memoryFiles(),
          clock,
          log: silentLog,
          onProblem: ({ message }) => {
            throw new Error(message)
          },
        })
        const checks = createChecks({ store, runProgram, clock, log: silentLog, defaultTimeoutSeconds: () => 60 })
        /** a person's words, by folder and name */
        const said = new Map<string, readonly string[]>()

        for (const one of steps) {
          const at = folders[one.where === 0 ? 0 : 1]
          const key = (check: string) => JSON.stringify([at, check])
          const before = started.length
          const went = await act(one, at).then(
            () => true,
            (error: unknown) => {
              if (OnwardError.isInstance(error)) return false
              throw error
            },
          )
          if (one.do === 'approve' && went) said.set(key(one.name), one.argv)
          if (one.do === 'declare' && went) said.set(key(one.name), ['npm', 'test'])
          if (one.do === 'forget' && went) said.delete(key(one.name))
          expect(started.slice(before)).toEqual(
            one.do === 'run' && went ? [{ cwd: at, argv: said.get(key(one.name)) }] : [],
          )
          const view = await checks.of(at)
          for (const check of view.checks) {
            const words = said.get(key(check.name))
            if (check.approval === 'not-approved') expect(words).toBeUndefined()
            else expect(words).toEqual(check.approval === 'changed' ? check.approvedArgv : check.argv)
          }
          // Approved checks stay required until they are forgotten.
          for (const check of names)
            if (said.has(key(check))) expect(view.checks.map((shown) => shown.name)).toContain(check)
        }

        function act(one: (typeof steps)[number], at: string): Promise<unknown> {
          switch (one.do) {
            case 'write':
              return writeFile(join(at, '.onward.json'), one.file)
            case 'delete':
              return rm(join(at, '.onward.json'), { force: true })
            case 'run':
              return checks.run(at, one.name, never())
            case 'approve':
              return checks.approve(at, one.name, one.argv)
            case 'forget':
              return checks.forget(at, one.name)
            case 'declare':
              return checks.declare(at, { name: one.name, command: 'npm test' })
          }
        }
      }),
      runs(60),
    )
  }, 120_000)
})
