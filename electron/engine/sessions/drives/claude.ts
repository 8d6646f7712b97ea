import type { DriveProfile } from './profile.ts'

/**
 * Claude Code 2.1.330, measured.
 * Goal: `/goal` is a Stop hook of the session. Setting it sends its command and a text that begins as below; while it
 * is not met, each stop is followed by `Stop hook feedback:` with the condition in brackets. No request says that it is
 * met: the next message is a person's. `/goal clear` leaves its output in the next request.
 * Loop: `/loop` without an interval; the agent arms each next round with ScheduleWakeup (one at most is pending, in 60
 * to 3600 s), which comes back as the command itself. `/loop` with one makes a cron job.
 * Cron jobs: CronCreate and CronDelete.
 * From the program of 2.1.332: the model sets and pauses that goal by SetGoal and PauseGoal; one that it proposes
 * begins with a message of its own once the person agrees. At a plan's limit it waits (`autoContinueAtUsageLimit`, on
 * unless a person turns it off) and goes on 30 to 90 s after the reset, or as soon as usage is there again; a message
 * that is entered before that cancels it.
 */
export const claudeDrives: DriveProfile = {
  signs: [
    { of: 'own-goal', says: 'on', when: { text: 'A session-scoped Stop hook is now active with condition:' } },
    { of: 'own-goal', says: 'still', when: { text: 'Stop hook feedback:\n[' } },
    { of: 'own-goal', says: 'off', when: { text: '<local-command-stdout>Goal cleared' } },
    { of: 'own-goal', says: 'on', when: { text: 'Goal set: ' } },
    { of: 'own-goal', says: 'on', when: { tools: ['SetGoal'], result: 'The goal is set, without an approval' } },
    { of: 'own-goal', says: 'off', when: { tools: ['PauseGoal'], result: 'The goal is paused.' } },
    { of: 'own-loop', says: 'off', when: { text: '<command-message>loop</command-message>' } },
    { of: 'own-loop', says: 'on', when: { tools: ['ScheduleWakeup'], result: 'Next wakeup scheduled for' } },
    { of: 'own-loop', says: 'off', when: { tools: ['ScheduleWakeup'], result: 'Loop stopped' } },
    { of: 'own-loop', says: 'off', when: { tools: ['ScheduleWakeup'], result: 'Wakeup not scheduled' } },
  ],
  atReset: [
    'Your claude.ai usage limit has reset. Continue the task',
    'Your claude.ai usage is available again before the usage-limit reset. Continue the task',
  ],
  jobs: {
    create: 'CronCreate',
    remove: 'CronDelete',
    created: /^Scheduled recurring job (\S+)/,
    createdOnce: /^Scheduled one-shot task (\S+)/,
    removed: /^Cancelled job (\S+?)\.?$/,
  },
}
