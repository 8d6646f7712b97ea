import type { ClientProfile } from './profile.ts'

/** Any SDK program, or a client nobody has measured yet. What is here holds for every client. */
export const other: ClientProfile = {
  client: 'other',
  recognise: [],
  headless: [],
  kinds: [
    // an answer of one token is a question about reachability or quota, never a turn
    { kind: 'probe', when: { body: { path: ['max_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['max_completion_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['max_output_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['generationConfig', 'maxOutputTokens'], is: 1 } } },
  ],
  written: [{ block: '<system-reminder>', close: '</system-reminder>' }, { starts: '<environment_context>' }],
}
