import type { ClientProfile } from './profile.ts'

/**
 * GitHub Copilot CLI 1.0.102 with a provider of its own settings. Its user agent is that of an SDK; `x-initiator`
 * stands on every request, `x-interaction-type` on all but the rounds of tools. Sends no session of its own: it is
 * known by its terminal.
 */
export const copilot: ClientProfile = {
  client: 'copilot',
  recognise: [{ header: 'x-initiator' }],
  headless: [],
  main: { shows: { header: { header: 'x-interaction-type', is: 'conversation-user' } } },
  kinds: [
    { kind: 'subagent', when: { header: { header: 'x-interaction-type', starts: 'conversation-subagent' } } },
    { kind: 'compaction', when: { header: { header: 'x-interaction-type', starts: 'conversation-compaction' } } },
  ],
  written: [
    // before each message
    { block: '<current_datetime>', close: '</current_datetime>' },
    { block: '<system_reminder>', close: '</system_reminder>' },
    // a background agent has finished
    { starts: '<system_notification>' },
    // left by a compaction, a message of its own before the person's
    { starts: 'Some of the conversation history has been summarized to free up context.' },
  ],
}
