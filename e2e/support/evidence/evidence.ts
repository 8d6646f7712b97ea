/**
 * What a person would look at first when a test of real parts fails: screens, logs, timelines, pictures of pages. What
 * a test starts says here how it is looked at; the runner beside this file looks, before the test tidies up.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** file name -> content */
export type Exhibits = Readonly<Record<string, string | Uint8Array>>
type Collect = () => Exhibits | Promise<Exhibits>

const folder = resolve(import.meta.dirname, '../../.artifacts/failed')

// The runner and the tests may have been loaded apart from each other: what they share stands on the process.
const kept = Symbol.for('onward.evidence')
const collectors = ((globalThis as { [kept]?: Set<Collect> })[kept] ??= new Set<Collect>())

/** Keeps how something is looked at, for as long as it runs. @returns forgets it again */
export function evidence(collect: Collect): () => void {
  collectors.add(collect)
  return () => void collectors.delete(collect)
}

/** Writes all there is to see into a folder of this test. @returns its path */
export async function writeEvidence(file: string, test: string, error: string): Promise<string> {
  const mine = join(folder, plain(file), plain(test))
  await rm(mine, { recursive: true, force: true })
  await mkdir(mine, { recursive: true })
  await writeFile(join(mine, 'error.txt'), error)
  const written = new Map<string, number>()
  for (const collect of collectors) {
    for (const [name, content] of Object.entries(await seen(collect))) {
      const n = (written.get(name) ?? 0) + 1
      written.set(name, n)
      await writeFile(join(mine, n === 1 ? name : name.replace(/(\.[a-z]+)?$/, `-${n}$1`)), content)
    }
  }
  return mine
}

/** What can't be looked at any more says so itself. */
async function seen(collect: Collect): Promise<Exhibits> {
  try {
    return await collect()
  } catch (error) {
    return { 'not-seen.txt': String(error) }
  }
}

const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120)
