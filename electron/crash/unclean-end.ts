/** An engine that was killed can't say so itself: the next one of its home does. */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { z } from 'zod'
import { engineFile, findRunningEngine } from '../engine/control/attach.ts'
import { lastCrash } from '../engine/records/crash-shelf.ts'
import { recordCrash, type CrashContext } from './record-crash.ts'

const note = z.object({ pid: z.number(), startedAt: z.number(), version: z.string(), service: z.boolean().optional() })

const killed =
  'It ended without a word: killed by the system (out of memory, for ' +
  'instance) or by somebody, or by a fault below this program.'

/**
 * Call before the next engine takes the home. A machine that was switched off is no crash of ours. `bootedAt`: epoch
 * milliseconds
 */
export async function noteUncleanEnd(
  context: CrashContext,
  bootedAt: number = context.now() - uptime() * 1000,
): Promise<void> {
  const left = leftBehind(context.home)
  if (left === null || left.startedAt < bootedAt) return
  if ((await findRunningEngine(context.home)) !== null) return
  // An engine that could still write its report did so.
  if ((lastCrash(context.home)?.at ?? 0) >= left.startedAt) return
  recordCrash(left.service ? 'serve' : 'engine', killed, { ...context, version: left.version }, left.startedAt)
}

function leftBehind(home: string): z.infer<typeof note> | null {
  try {
    return note.safeParse(JSON.parse(readFileSync(engineFile(home), 'utf8'))).data ?? null
  } catch {
    return null
  }
}
