/** The command line as a program of its own, for tests that need a real process: signals, terminals, job control. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

export interface BuiltCli {
  onward: string
  fakeEngine: string
  folder: string
  remove(): Promise<void>
}

const repository = resolve(import.meta.dirname, '../../..')

export async function buildCli(): Promise<BuiltCli> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-built-'))
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        // the engine itself is started by the stand-in, and by e2e for real
        external: ['electron', 'node-pty', /^@lydell\/node-pty/, /engine\/engine\.ts$/],
        input: {
          onward: join(repository, 'electron/cli/onward.ts'),
          'fake-engine': join(repository, 'electron/cli/testing/fake-engine.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
    ssr: { noExternal: true },
  })
  return {
    folder,
    onward: join(folder, 'onward.mjs'),
    fakeEngine: join(folder, 'fake-engine.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
