import { opencode } from './opencode.ts'
import type { ClientProfile } from './profile.ts'

/** Kilo Code CLI 7.7.9, which grew out of opencode: its session headers and most of its texts are the same. */
export const kilo: ClientProfile = {
  ...opencode,
  client: 'kilo',
  recognise: [{ header: 'user-agent', starts: 'Kilo-Code/' }],
  kinds: [
    { kind: 'compaction', when: { user: 'Summarize conversation chunk ', noTools: true } },
    { kind: 'compaction', when: { user: 'Here is the conversation so far:', noTools: true } },
    ...opencode.kinds,
  ],
  written: [{ block: '<environment_details>', close: '</environment_details>' }, ...opencode.written],
}
