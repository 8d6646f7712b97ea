import type { StopMark } from './goal-progress.ts'
import { sameWords } from './same-words.ts'

/**
 * Returns true if a round got anywhere: a tool was called, and not just with the calls of the round before once more;
 * or a file changed; or the agent says something else. Files come last, since they cost most.
 */
export async function madeProgress(
  before: StopMark,
  now: StopMark,
  filesChanged: () => Promise<boolean>,
): Promise<boolean> {
  if (now.calls !== '' && now.calls !== before.calls) return true
  if (!sameWords(before.text, now.text)) return true
  return filesChanged()
}
