import type { DriveProfile } from './profile.ts'

const goalTools = ['create_goal', 'get_goal', 'update_goal']

/**
 * Codex CLI 0.169.0, measured: `/goal` and the tools `create_goal`, `get_goal`, `update_goal`. While a goal is active,
 * Codex begins the next turn by itself at once with a user item `<codex_internal_context source="goal">`; what the
 * person does with it in the UI comes as `source="user_goal"` before the next turn's message. A tool's result is JSON
 * with `goal.status`: active, paused, blocked, complete, usage_limited or budget_limited (codex-rs/ext/goal). Quotes
 * within the objective are escaped there, so it can't pass for a status. Spent budgets appear in the `source="goal"`
 * frame too.
 */
export const codexDrives: DriveProfile = {
  signs: [
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="goal">', has: 'thread goal has reached its token budget' },
    },
    { of: 'own-goal', says: 'on', when: { text: '<codex_internal_context source="goal">' } },
    {
      of: 'own-goal',
      says: 'on',
      when: { text: '<codex_internal_context source="user_goal">', has: 'goal status: "active"' },
    },
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="user_goal">', has: 'goal status: "' },
    },
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="user_goal">', has: 'cleared the goal' },
    },
    // the first releases with goals; from their source, not measured
    { of: 'own-goal', says: 'off', when: { text: '<goal_context>', has: 'thread goal has reached its token budget' } },
    { of: 'own-goal', says: 'on', when: { text: '<goal_context>' } },
    { of: 'own-goal', says: 'on', when: { tools: goalTools, result: '"status":"active"' } },
    { of: 'own-goal', says: 'off', when: { tools: goalTools, result: '"status":"' } },
    { of: 'own-goal', says: 'off', when: { tools: goalTools, result: '"goal":null' } },
    // an automation of the Codex app begins a turn of this thread with it; its words stand in the binary of 0.169.0
    { of: 'own-schedule', says: 'on', when: { text: '<heartbeat>', has: '<automation_id>' } },
  ],
  jobs: null,
}
