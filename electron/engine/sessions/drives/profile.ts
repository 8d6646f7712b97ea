/** The agent's own mechanisms that begin turns in its session. */
export type Drive = 'own-goal' | 'own-loop' | 'own-schedule'

/**
 * How a client's requests show that a goal, a loop or a schedule of its own drives the session, as data. Facts were
 * measured with unmodified clients against a scripted upstream, or read in their packages where that is said.
 */
export interface DriveProfile {
  /** in order, the first that matches a text or a call counts */
  signs: readonly DriveSign[]
  /** beginnings of the texts by which it goes on at a limit's reset; that is one turn, and drives nothing after it */
  atReset?: readonly string[]
  /** timed prompts that the agent makes and deletes by calls; null: it has none */
  jobs: JobTools | null
}

export interface DriveSign {
  of: Drive
  /** `on`, `off`: from here on; `still`: where it is on, it is at work here too */
  says: 'on' | 'off' | 'still'
  when:
    /** a text of a user message that starts so, white space before it aside; `has`: and has these words further on */
    | { text: string; has?: string }
    /** the result of a call to one of these tools has these words */
    | { tools: readonly string[]; result: string }
}

/** Their prompts come back as bare user messages: only the same words distinguish them from a person's. */
export interface JobTools {
  create: string
  remove: string
  /** in the result of `create`; the first group is the job's id */
  created: RegExp
  /** the same for one that comes once and is gone */
  createdOnce: RegExp
  /** in the result of `remove` */
  removed: RegExp
}
