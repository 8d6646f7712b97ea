import { defineConfig } from 'vitest/config'

const reporters = process.env.CI
  ? ['default', './e2e/support/totals-reporter.ts']
  : ['default', './e2e/support/totals-reporter.ts']

export default defineConfig({
  test: {
    reporters,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{electron,shared,renderer}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        // Real processes, browsers and agents: one file at a time keeps two cores honest.
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
