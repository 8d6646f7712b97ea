import type { DriveProfile } from './profile.ts'

/**
 * Qwen Code 0.24.4. Measured: `/goal`, whose turns begin with the words below until it is met, blocked or paused (the
 * UI alone says so), and cron jobs. From its package: `loop_wakeup`, answered and come back as in Claude Code, and the
 * last turn of a goal whose budget is spent.
 */
export const qwenDrives: DriveProfile = {
  signs: [
    {
      of: 'own-goal',
      says: 'off',
      when: { text: 'Continue working on the active Goal.', has: 'This is the final turn before the Goal stops' },
    },
    { of: 'own-goal', says: 'on', when: { text: 'Continue working on the active Goal.' } },
    { of: 'own-goal', says: 'off', when: { tools: ['get_goal'], result: '{"active":false' } },
    { of: 'own-loop', says: 'off', when: { text: '# Autonomous loop' } },
    { of: 'own-loop', says: 'off', when: { text: '/loop' } },
    { of: 'own-loop', says: 'on', when: { tools: ['loop_wakeup'], result: 'Scheduled loop wakeup' } },
  ],
  jobs: {
    create: 'cron_create',
    remove: 'cron_delete',
    created: /^Scheduled recurring job (\S+)/,
    createdOnce: /^Scheduled one-shot task (\S+)/,
    removed: /^Cancelled job (\S+?)\.?$/,
  },
}
