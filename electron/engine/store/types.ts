/**
 * Durable documents. A resolved write is on disk: temp file, fsync, rename, fsync of the folder, mode 0600. Values are
 * frozen when they are handed in: a caller that changed one in place would be ahead of the disk.
 */
export interface Document<T> {
  /** last value written or loaded; null when there is none */
  get(): T | null
  /** @throws OnwardError `store-failed` with the system code; memory then keeps the old value */
  set(value: T): Promise<void>
  /** Reads, changes and writes as one step in this file's queue. Returning null deletes the file. */
  update(change: (current: T | null) => T | null): Promise<T | null>
  remove(): Promise<void>
}

export interface DocumentSpec<T> {
  /** below the session root, with `/`; already safe as a file name */
  path: string
  version: number
  /** checks outside input; a throw means corrupt: the file is moved aside and reported */
  parse(value: unknown): T
  /** the value that replaces a corrupt file; absent: none does */
  whenCorrupt?: T
  /**
   * for a large document that changes a little at a time: changes are lines of the journal, where the store has one. A
   * number: only while its file has more characters than that
   */
  journaled?: true | number
  /** returns the value as its file has it, flat: its members beside the version; `parse` reads that, too */
  encode?(value: T): object
  /** a file that a newer Onward wrote is moved aside too: its content is dispensable, and must not stop a start */
  asideWhenNewer?: true
}

/** Everything the store does to the disk, injected so that tests can fill it, lock it or kill it at any step. */
export interface Files {
  read(path: string): Promise<Buffer | null>
  /** `mode`: of the new file, where others than the owner may read it */
  writeAtomic(path: string, data: string, mode?: number): Promise<void>
  /** `sync`: on the disk when it resolves; else a power cut may cost the last lines */
  append(path: string, data: string | Uint8Array, how?: { sync: boolean }): Promise<void>
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  list(folder: string): Promise<readonly string[]>
  makeFolder(path: string): Promise<void>
  /** epoch milliseconds of the last change, null without the file; a disk without this method can't order by age */
  modifiedAt?(path: string): Promise<number | null>
  /**
   * Reads in place, for thousands of small files in ASCII; undefined: the file is something else, to be read with
   * `read`.
   */
  readInPlace?(path: string): string | null | undefined
  modifiedInPlace?(path: string): number | null
}

export interface Store {
  document<T>(spec: DocumentSpec<T>): Promise<Document<T>>
  /**
   * Reads the value alone, not frozen, for thousands that are read once: what is not as it should be is treated as
   * `document` treats it.
   */
  read<T>(spec: DocumentSpec<T>): Promise<T | null>
  /**
   * names of the documents in a folder, without temporary and set-aside files; `any`: as they come, since to sort ten
   * thousand takes milliseconds in one piece
   */
  list(folder: string, order?: 'name' | 'any'): Promise<readonly string[]>
  /** last changed first; by name where the disk gives no time */
  newestFirst(folder: string, names: readonly string[]): Promise<readonly string[]>
  /** resolves when every queued write is on disk */
  flush(): Promise<void>
  /**
   * The journal holds nothing of removed documents when it resolves.
   * @throws OnwardError `store-failed`
   */
  fold(): Promise<void>
}
