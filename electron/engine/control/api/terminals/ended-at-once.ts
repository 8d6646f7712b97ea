import { stripVTControlCharacters } from 'node:util'
import type { Clock } from '../../../base/clock.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { HostHub } from '../../../terminals/host/hub.ts'

export interface AtOnceDeps {
  clock: Clock
  hub: Pick<HostHub, 'watch'>
}

/** its last lines, and so many characters of them */
const LINES = 3
const CHARACTERS = 400
/** its host answers in milliseconds; without an answer the failure is reported without the agent's words */
const SCREEN_MS = 1_000

/**
 * Watches a terminal that was just opened for `ms` milliseconds: a wrong option or a missing login ends an agent at
 * once, and its message about that is gone with its screen.
 * @returns the failure in its own words; null: it runs, or it ended well
 */
export async function endedAtOnce(
  deps: AtOnceDeps,
  { terminalId, program, ms }: { terminalId: string; program: string; ms: number },
): Promise<OnwardError | null> {
  const seen = await watch(deps, terminalId, ms)
  if (seen.exitCode === undefined || seen.exitCode === 0) return null
  // If the end overtook the first screen, the next watch is answered with what the screen shows.
  const said = seen.said === '' ? (await watch(deps, terminalId, SCREEN_MS)).said : seen.said
  return failure(program, seen.exitCode, lastWords(said))
}

/** @returns what was drawn until its end, or within `ms`; `exitCode`: absent while it runs */
async function watch(
  { clock, hub }: AtOnceDeps,
  terminalId: string,
  ms: number,
): Promise<{ said: string; exitCode?: number | null }> {
  const enough = new AbortController()
  const timer = clock.after(ms, () => enough.abort())
  let said = ''
  try {
    for await (const chunk of hub.watch(terminalId, enough.signal)) {
      if (chunk.type === 'screen' || chunk.type === 'data') said += chunk.data
      if (chunk.type === 'exit') return { said, exitCode: chunk.exitCode }
    }
    return { said }
  } finally {
    timer.dispose()
  }
}

function failure(program: string, exitCode: number | null, words: string): OnwardError {
  const how = exitCode === null ? 'was ended at once' : `ended at once with ${exitCode}`
  return new OnwardError('ended-at-once', `${program} ${how}${words === '' ? '.' : `. It said: ${words}`}`, {
    details: { program, exitCode, words },
    status: 409,
  })
}

const lastWords = (said: string): string =>
  stripVTControlCharacters(said)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-LINES)
    .join(' / ')
    .slice(-CHARACTERS)
