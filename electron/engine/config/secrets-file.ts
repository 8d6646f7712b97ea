import { join } from 'node:path'
import { OnwardError } from '../base/errors.ts'
import { storeFailed } from '../store/store-failed.ts'

/** Provider keys that stand nowhere in the config; it names them by `secretRef`. */
export interface Secrets {
  /** null: there is none of that name */
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Those of one file. */
export interface FileSecrets extends Secrets {
  readonly path: string
  names(): Promise<readonly string[]>
}

/** The disk operations for keeping secrets. */
export interface SecretFiles {
  read(path: string): Promise<Buffer | null>
  /** atomic, durable, for the owner only */
  writeAtomic(path: string, data: string): Promise<void>
  remove(path: string): Promise<void>
  /** null without the file. `open`: others than its owner may read or write it; `ours`: we are that owner */
  access(path: string): Promise<{ open: boolean; ours: boolean } | null>
  /** makes it the owner's only */
  close(path: string): Promise<void>
}

export const secretsFileName = 'secrets.json'

/** null where it is something else. What the parser says is not handed on: it may hold a part of the text. */
function parse(text: string): Map<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const found = new Map<string, string>()
    for (const [name, secret] of Object.entries(value)) {
      if (typeof secret !== 'string') return null
      found.set(name, secret)
    }
    return found
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * `<home>/secrets.json`, `{name: value}`, mode 0600: where there is no keychain, or none is wanted. A file that others
 * can read is closed to them where it is ours, else not used: its keys may be known. Without secrets there is no file.
 */
export function secretsFile(home: string, files: SecretFiles): FileSecrets {
  const path = join(home, secretsFileName)
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  async function read(): Promise<Map<string, string>> {
    const bytes = await guarded('read', async () => {
      const access = await files.access(path)
      if (access?.open && !access.ours)
        throw new OnwardError(
          'secrets-open',
          `${path} can be read by others and is not yours, so it is not used. Make it yours: chown and chmod 600.`,
        )
      if (access?.open) await files.close(path)
      return files.read(path)
    })
    if (bytes === null) return new Map()
    const found = parse(bytes.toString('utf8'))
    if (found) return found
    throw new OnwardError(
      'secrets-unreadable',
      `${path} is not what Onward wrote there. Mend it, or remove it and set the keys anew.`,
    )
  }
  const change = (alter: (secrets: Map<string, string>) => void) =>
    inTurn(async () => {
      const secrets = await read()
      alter(secrets)
      if (secrets.size === 0) return guarded('save', () => files.remove(path))
      await guarded('save', () => files.writeAtomic(path, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`))
    })
  const guarded = async <T>(doing: 'read' | 'save', work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (OnwardError.isInstance(error)) throw error
      throw storeFailed(doing, path, error)
    }
  }

  return {
    path,
    names: () => inTurn(async () => [...(await read()).keys()]),
    get: (name) => inTurn(async () => (await read()).get(name) ?? null),
    set: (name, value) =>
      change((secrets) => {
        secrets.set(name, value)
      }),
    remove: (name) =>
      change((secrets) => {
        secrets.delete(name)
      }),
  }
}
