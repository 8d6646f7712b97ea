import type { ClientProfile } from './profile.ts'

/**
 * Kimi Code CLI 2.1. Its session is the `prompt_cache_key` of a Chat body (session-id.ts). Its notes on date and
 * modes come as messages of their own after the person's.
 */
export const kimi: ClientProfile = {
  client: 'kimi',
  recognise: [{ header: 'user-agent', starts: 'kimi-code-cli/' }],
  headless: [],
  main: {},
  kinds: [
    { kind: 'subagent', when: { systemHas: 'You are now running as a subagent.' } },
    { kind: 'compaction', when: { user: 'You are about to run out of context. Create a handoff summary' } },
    // a side question (`/btw`) under the session's own id: a fork with its tools, opened by a message of its own
    { kind: 'aside', when: { everSaid: '<system-reminder>\nThis is a side-channel conversation with the user.' } },
  ],
  behind: '<system-reminder>',
  written: [
    { block: '<system-reminder>', close: '</system-reminder>' },
    { starts: '<notification ' },
    { starts: '<cron-fire ' },
    { starts: '<hook_result ' },
    { starts: '<bash-input>' },
    { starts: '<bash-stdout>' },
    { starts: '<system>' },
    { starts: 'Continue working toward the active goal.' },
  ],
}
