/** Where new versions come from and how one takes the place of this program. */
import type { NewVersion } from '../../../shared/updates.ts'

export interface UpdateSource {
  /** null: nothing newer */
  check(): Promise<NewVersion | null>
  /** resolves when the whole of it is here and is what was announced; 0 to 100 */
  download(progress: (percent: number) => void): Promise<void>
  /** whatever can fail, while the app still runs; the old program is whole when it does */
  prepare(): Promise<void>
  /** Everything else of the app has ended. It quits the app. */
  finish(restart: boolean): void
}
