import { watch } from 'node:fs'
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { serial } from '../../base/work.ts'

/** A hook's word about its agent: it has come to rest, asks its person, or ends a conversation. */
export const signals = ['rests', 'asks', 'ends'] as const
export type Signal = (typeof signals)[number]

/** Hooks of all agents write into this file, each with the key of its terminal. */
export const signalFile = (home: string): string => join(home, 'launch', 'signals')

/**
 * Returns the command of a hook: a write of one line by the shell itself, with the key from the environment. It needs
 * no engine, prints nothing and never fails.
 */
export const signalCommand = (file: string, signal: Signal): string =>
  `{ printf '${signal} %s\\n' "$ONWARD_KEY" >>'${file.replaceAll("'", `'\\''`)}'; } 2>/dev/null; exit 0`

/** Reads what hooks write from now on. What they wrote while no engine was there is old. */
export async function followSignals(
  file: string,
  { log, heard }: { log: Log; heard(key: string, signal: Signal): void },
): Promise<Disposable> {
  const queue = serial()
  const failed = (error: unknown) => log.warn({ why: messageOf(error) }, 'the signals of agents can’t be read')
  const read = async () => {
    const text = await readFile(file, 'utf8')
    if (text === '') return
    // a line that comes in between is lost with it: nothing depends on one
    await truncate(file)
    for (const line of text.split('\n')) {
      const [word, key] = line.split(' ')
      const signal = signals.find((one) => one === word)
      if (signal !== undefined && key) heard(key, signal)
    }
  }
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, '', { mode: 0o600 })
    const watcher = watch(file, { persistent: false }, () => void queue(read).catch(failed))
    watcher.on('error', failed)
    return {
      dispose() {
        watcher.close()
        // no key stays behind
        void truncate(file).catch(failed)
      },
    }
  } catch (error) {
    // without them wire and screen say it, a little later
    failed(error)
    return { dispose: () => undefined }
  }
}
