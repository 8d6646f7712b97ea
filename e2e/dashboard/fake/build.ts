/** Builds the page as the root config does, for tests and development that start without a build. */
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { wordsAhead } from '../../../build/words-ahead.ts'

export async function buildPage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: resolve(import.meta.dirname, '../../../renderer'),
    base: './',
    plugins: [react(), wordsAhead()],
    build: { outDir, emptyOutDir: true, reportCompressedSize: false },
  })
}
