import { resolve } from 'node:path'
import type { EngineHost } from '../../../host.ts'

/** A folder as a person writes it into a form: `~` is their home, and what is not absolute lies in it. */
export function writtenFolder({ env, home }: Pick<EngineHost, 'env' | 'home'>, wanted: string | undefined): string {
  const own = env.HOME ?? home
  return wanted === undefined ? own : resolve(own, wanted.replace(/^~(?=\/|$)/, own))
}
