import type { Words } from '../../i18n/index.ts'
import type { SessionOutage } from '../../../shared/outage.ts'
import { targetText } from '../../../shared/target-text.ts'

/** The choice that holds until something answers again, in a sentence. */
export function outageText({ failed, tell, standIn }: SessionOutage, w: Words['w']): string {
  const waits = failed.map(targetText).join(w.outage.or)
  if (standIn === null) return w.outage.waits(waits)
  return w.outage.uses(targetText(standIn), waits, tell)
}
