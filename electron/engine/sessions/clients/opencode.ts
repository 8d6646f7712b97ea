import type { ClientProfile } from './profile.ts'

/** opencode 1.18. */
export const opencode: ClientProfile = {
  client: 'opencode',
  recognise: [{ header: 'user-agent', starts: 'opencode/' }],
  headless: [],
  // a person may continue with an agent of their own that has no tools
  main: { toolsMayGo: true },
  kinds: [
    { kind: 'title', when: { system: 'You are a title generator' } },
    { kind: 'compaction', when: { system: 'You are a context summarization agent' } },
    { kind: 'compaction', when: { system: 'You are a helpful AI assistant tasked with summarizing conversations' } },
    { kind: 'compaction', when: { user: 'Here is the conversation so far:', noTools: true } },
    { kind: 'subagent', when: { header: { header: 'x-parent-session-id' } } },
  ],
  written: [
    { block: '<system-reminder>', close: '</system-reminder>' },
    // a file named with @ comes as a made-up tool call, its content in the next text
    { starts: 'Called the Read tool with the following input', andAfter: true },
    { starts: 'Called the list tool with the following input', andAfter: true },
    { starts: 'Reading MCP resource:', andAfter: true },
    { is: 'The following tool was executed by the user' },
    { is: 'What did we do so far?' },
    { starts: 'Summarize the task tool output above and continue with your task' },
    { starts: 'Continue if you have next steps' },
    { starts: 'Here is the conversation so far:' },
    { starts: '<task id=' },
  ],
}
