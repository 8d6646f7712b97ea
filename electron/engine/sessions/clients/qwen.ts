import type { ClientProfile } from './profile.ts'

/** Qwen Code 0.24. Sends no session of its own: it is known by its terminal. */
export const qwen: ClientProfile = {
  client: 'qwen',
  recognise: [{ header: 'user-agent', starts: 'QwenCode/' }],
  headless: [],
  main: {},
  kinds: [
    { kind: 'subagent', when: { system: 'You are now acting as the managed memory extraction subagent' } },
    { kind: 'probe', when: { system: 'You are a security classifier for an AI coding agent' } },
    // its own goal's (from the package of 0.24.4)
    { kind: 'probe', when: { system: 'You are an independent Goal Verifier.' } },
    // full tools and history, looks like a turn; its answer becomes ghost text in the composer
    { kind: 'probe', when: { user: '[SUGGESTION MODE:' } },
    { kind: 'compaction', when: { user: 'You are the component that summarizes' } },
    { kind: 'compaction', when: { system: 'You are the component that summarizes' } },
    { kind: 'subagent', when: { system: 'You are a general-purpose subagent' } },
    { kind: 'aside', when: { anyText: '<system-reminder>\nThis is a side question from the user.' } },
  ],
  written: [
    { block: '<system-reminder>', close: '</system-reminder>' },
    { starts: 'This is the Qwen Code. We are setting up the context for our chat.' },
    { starts: 'This is Qwen Code. We are setting up the context for our chat.' },
    { starts: '<session_context>' },
    { starts: '<state_snapshot>' },
    { starts: '<task-notification>' },
    // of other sessions (from the package of 0.24.4)
    { starts: '<cross_session_message', andAfter: true },
    { starts: '[SUGGESTION MODE:' },
    { is: 'Please continue.' },
    // after an answer that broke off (seen), or met its limit (from the package of 0.24.4); its end follows, quoted
    { starts: 'The connection dropped mid-response. Resume directly — ' },
    { starts: 'Output token limit hit. Resume directly — ' },
    // a turn its own goal begins (0.24.4), and rounds of its loop
    { starts: 'Continue working on the active Goal.\nUse get_goal' },
    { starts: '# Autonomous loop check\n' },
    { starts: '# Autonomous loop tick' },
    { fromLine: '--- Content from referenced files ---' },
  ],
}
