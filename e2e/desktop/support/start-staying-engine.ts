import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { cleanEnv, newHome } from '../../support/engine-process.ts'

export interface StayingEngine {
  home: string
  port: number
  kill(): Promise<void>
  stop(): Promise<void>
}
export interface StayingEngines {
  start(): Promise<StayingEngine>
  remove(): void
}

const repository = resolve(import.meta.dirname, '../../..')

/** Builds the program beside links to what the product's build puts there. */
export async function buildStayingEngine(): Promise<StayingEngines> {
  const folder = mkdtempSync(join(tmpdir(), 'onward-staying-'))
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(folder, 'main'),
      minify: false,
      rollupOptions: {
        external: ['node-pty', /^@lydell\/node-pty/],
        input: { engine: join(import.meta.dirname, 'staying-engine.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
    ssr: { noExternal: true },
  })
  symlinkSync(join(repository, 'out/main/pty-host.js'), join(folder, 'main/pty-host.js'))
  symlinkSync(join(repository, 'out/renderer'), join(folder, 'renderer'))
  return {
    start: () => start(join(folder, 'main/engine.mjs')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function start(program: string): Promise<StayingEngine> {
  const home = newHome()
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'], env: cleanEnv() })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const port = await new Promise<number>((ok, bad) => {
    child.stdout.once('data', (line: Buffer) => ok((JSON.parse(line.toString()) as { port: number }).port))
    child.once('exit', (code) => bad(new Error(`the engine ended with ${code} before it was ready`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return gone
  }
  return { home, port, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
