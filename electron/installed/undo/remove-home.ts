import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { OnwardError } from '../../engine/base/errors.ts'

/** Files of every home that an engine ever ran on. */
const signs = ['format.json', 'control-token', 'config.json', 'sessions']

/**
 * All that Onward keeps.
 * @throws OnwardError `not-a-home` on a folder that is none, or holds the person's own home
 */
export async function removeHome(home: string, personHome: string): Promise<void> {
  refuseOther(home, personHome)
  await rm(home, { recursive: true, force: true })
}

export function refuseOther(home: string, personHome: string): void {
  const inside = relative(resolve(home), resolve(personHome))
  const holdsPerson = inside === '' || !inside.startsWith('..')
  if (holdsPerson || !signs.some((name) => existsSync(join(home, name))))
    throw new OnwardError('not-a-home', `${home} is no home of Onward’s, so it is not removed.`)
}
