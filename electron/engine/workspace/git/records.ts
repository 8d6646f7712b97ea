import type { GitOutput } from './with-git.ts'

/** Records that end in NUL. Where the beginning is missing, what its first record was is not known. */
export function nulRecords({ out, cut }: GitOutput): readonly string[] {
  const records = out.split('\0')
  return (cut ? records.slice(1) : records).filter((record) => record !== '')
}
