import { dirname, join } from 'node:path'
import { OnwardError } from '../base/errors.ts'
import { storeFailed } from '../store/store-failed.ts'
import type { ConfigFiles } from './types.ts'

/** more than a person breaks in one second */
const MOST_OF_A_SECOND = 100

/** The file stays as it is until a copy of it stands beside it. @returns the copy's path */
export async function keepBeside(path: string, files: Pick<ConfigFiles, 'keep'>, now: number): Promise<string> {
  const at = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
  for (let n = 1; n <= MOST_OF_A_SECOND; n++) {
    const kept = join(dirname(path), `config.broken-${at}${n === 1 ? '' : `-${n}`}.json`)
    try {
      if (await files.keep(path, kept)) return kept
    } catch (cause) {
      throw storeFailed('save', kept, cause)
    }
  }
  throw new OnwardError('store-failed', 'No name is free beside the config file to keep its text under.', {
    status: 500,
  })
}

export const nothingToPutBack = () =>
  new OnwardError(
    'nothing-to-put-back',
    'There is nothing to put back: the config file is right, or no text of it that was right is known.',
    { status: 409 },
  )
