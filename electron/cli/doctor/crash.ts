import { lastCrash } from '../../engine/records/crash-shelf.ts'
import { bad, type Check } from './types.ts'

/** Longer ago it says nothing of the Onward of today. */
const countsForMs = 7 * 24 * 3_600_000

export const checkCrash: Check = async ({ home }, cli) => {
  const crash = lastCrash(home)
  if (crash === null || cli.now() - crash.at > countsForMs) return []
  return [
    bad(
      'crash',
      crash.report.split('\n', 1)[0] ?? '',
      `Send ${crash.path} with a report of the fault; it holds no keys and no texts of agents. Then delete it.`,
    ),
  ]
}
