import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { rolldown } from 'rolldown'

/**
 * Bundles a TypeScript entry into one .mjs that plain Node runs; for tests that need a process of their own to kill.
 */
export async function bundleChild(entry: string, folder: string): Promise<string> {
  const file = join(folder, 'child.mjs')
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}

export interface Child {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  readonly lines: readonly string[]
  /** resolves with the line; rejects when the process ends without it */
  line(matching: (line: string, index: number) => boolean): Promise<string>
  /** SIGKILL; afterwards `lines` has everything the process wrote */
  kill(): Promise<void>
  readonly ended: Promise<number | null>
}

export function startChild(file: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const watchers = new Set<() => void>()
  let rest = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    for (const watcher of watchers) watcher()
  })
  // 'close' comes after the last output was read, 'exit' may come before
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  return {
    process: child,
    lines,
    ended,
    line: (matching) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(matching)
          if (found === undefined) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        ended.then(() => {
          look()
          reject(new Error(`The child ended without saying it. It said: ${lines.join(' | ')} ${errors}`))
        }, reject)
        look()
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
