import type { AgentStanding } from '../../../../shared/setup/agent-standing.ts'
import { verified, type VerifiedVersion } from './verified.ts'

/** How long `<agent> --version` may take; without an answer by then its version is not known. */
export const VERSION_WITHIN_MS = 5_000

/** Finds the version in an agent's output: its name, a commit or a note may stand around it. */
export function versionIn(printed: string): string | null {
  const [found = null] = /\d+(?:\.\d+){2,}(?:-\w+(?:\.\w+)*)?/.exec(printed) ?? /\d+\.\d+/.exec(printed) ?? []
  return found
}

export function standingOf(client: keyof typeof verified, version: string | null): AgentStanding {
  return standingAmong(verified[client], version)
}

/** `among`: the newest last. */
export function standingAmong(among: readonly VerifiedVersion[], version: string | null): AgentStanding {
  const newest = among.at(-1)?.version
  if (version === null || newest === undefined) return { kind: 'untold' }
  if (among.some((one) => one.version === version)) return { kind: 'verified' }
  return { kind: isNewer(version, newest) ? 'newer' : 'older', than: newest }
}

/** Compares by numbers; a version that is tried out before a release (`1.2.0-rc.1`) is older than the release. */
export function isNewer(a: string, b: string): boolean {
  const [[numbersA, beforeA], [numbersB, beforeB]] = [partsOf(a), partsOf(b)]
  for (let i = 0; i < Math.max(numbersA.length, numbersB.length); i++) {
    const [one, other] = [numbersA[i] ?? 0, numbersB[i] ?? 0]
    if (one !== other) return one > other
  }
  if (beforeA === '' || beforeB === '') return beforeA === '' && beforeB !== ''
  return beforeA.localeCompare(beforeB, 'en', { numeric: true }) > 0
}

function partsOf(version: string): [readonly number[], string] {
  const [numbers = '', ...before] = version.split('-')
  return [numbers.split('.').map(Number), before.join('-')]
}
