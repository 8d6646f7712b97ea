import type { StopMark } from './goal-progress.ts'
import { sameWords } from './same-words.ts'

/**
 * Whether a round got anywhere: a tool was called, other than just the calls of the round before once more; or a file
 * changed; or the agent says something else. Files are asked last, as it costs most.
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
