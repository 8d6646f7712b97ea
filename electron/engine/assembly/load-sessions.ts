import { messageOf } from '../base/errors.ts'
import type { Foundation } from './foundation.ts'

/** Reads the sessions of earlier runs. Never rejects: the timeline records those that can't be read. */
export const loadSessions = ({
  sessions,
  timeline,
  reading,
}: Pick<Foundation, 'sessions' | 'timeline' | 'reading'>): Promise<void> =>
  sessions.load(reading.opened).catch((error: unknown) => {
    timeline.record(
      {},
      {
        type: 'engine-problem',
        code: 'sessions-unread',
        message: `The sessions of earlier runs could not be listed: ${messageOf(error)}`,
      },
    )
  })
