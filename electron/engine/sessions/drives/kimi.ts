import type { DriveProfile } from './profile.ts'

/** Kimi Code 2.1.0, from its package: turns of its goal begin with the words below, prompts of its cron are framed. */
export const kimiDrives: DriveProfile = {
  signs: [
    { of: 'own-goal', says: 'on', when: { text: 'Continue working toward the active goal.' } },
    { of: 'own-goal', says: 'off', when: { tools: ['UpdateGoal'], result: 'Goal completed successfully' } },
    { of: 'own-goal', says: 'off', when: { tools: ['UpdateGoal'], result: 'State that the goal is blocked' } },
    { of: 'own-schedule', says: 'on', when: { text: '<cron-fire ' } },
  ],
  jobs: null,
}
