import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestFirst, notInRest, notInTest } from './e2e/test-files.ts'
import { alone } from './e2e/which-run.ts'
import { everything, rest, seed } from './shared/testing/runs.ts'

/** Wherever real processes run beside each other: so many files wait at once without using up two cores. */
const SIDE_BY_SIDE = 8
/** A test that hangs ends some day; what it waits for has its own, shorter patience (shared/testing/wait-for.ts). */
const HANGS_MS = 300_000
/**
 * In CI a test gets two more tries: many run real processes (unit tests too: tmux, terminals, git), and a machine that
 * others use says nothing about a change. Which test needed one stands at the end of the run.
 */
const retry = Number(process.env.ONWARD_RETRIES ?? 0)

/** A file that is named runs, wherever it stands. */
const named = (file: string): boolean => process.argv.some((arg) => arg.includes(file))
const inNone = rest ? notInRest() : everything ? [] : notInTest()
const left = inNone.filter((file) => !named(file))
const specs = 'e2e/**/*.spec.ts'
const real = {
  testTimeout: HANGS_MS,
  hookTimeout: HANGS_MS,
  retry,
  env: { ONWARD_RUN_SEED: String(seed) },
  runner: './e2e/support/evidence/runner.ts',
  globalSetup: ['./e2e/support/global-setup.ts'],
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return longestFirst(await super.sort(files))
  }
}

/** `npm run soak`, `npm run walk`: tests that end when their agents do. */
const long = { ...real, testTimeout: 0, sequence: { groupOrder: 4 } }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './e2e/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{electron,shared,renderer,scripts}/**/*.test.{ts,tsx}', 'e2e/{*,soak/*}.test.ts'],
          exclude: ['**/node_modules/**', ...left],
          testTimeout: HANGS_MS,
          retry,
          env: { ONWARD_RUN_SEED: String(seed) },
          expect: { poll: { timeout: 60_000, interval: 20 } },
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...real,
          name: 'e2e',
          include: [specs],
          exclude: ['**/node_modules/**', ...left, ...Object.keys(alone)],
          isolate: false,
          expect: { poll: { timeout: 60_000, interval: 50 } },
          maxWorkers: SIDE_BY_SIDE,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...real,
          name: 'alone',
          include: Object.keys(alone),
          exclude: ['**/node_modules/**', ...left],
          expect: { poll: { timeout: 60_000, interval: 50 } },
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      ...(process.env.ONWARD_SOAK === undefined
        ? []
        : [
            {
              test: {
                ...long,
                name: 'soak',
                include: [process.env.ONWARD_SOAK_RESTARTS ? 'e2e/soak/restarts.ts' : 'e2e/soak/soak.ts'],
              },
            },
          ]),
      ...(process.env.ONWARD_WALK === undefined
        ? []
        : [{ test: { ...long, name: 'walk', include: ['e2e/walk/walk.ts'] } }]),
    ],
  },
})
