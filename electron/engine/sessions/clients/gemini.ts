import type { ClientProfile } from './profile.ts'

/** Gemini CLI 0.61. Sends no session of its own: it is known by its terminal. */
export const gemini: ClientProfile = {
  client: 'gemini',
  recognise: [{ header: 'user-agent', starts: 'GeminiCLI' }],
  headless: [],
  // A sub-agent's last answer is a call of `complete_task`, which nothing follows (seen with 0.61.0).
  waitsForSubagents: true,
  main: {},
  kinds: [
    { kind: 'probe', when: { system: 'You are a specialized Task Routing AI' } },
    { kind: 'probe', when: { system: 'You are a Task Routing AI' } },
    // asks beside a long turn whether it is going round in circles
    {
      kind: 'probe',
      when: { system: 'You are a diagnostic agent that determines whether a conversational AI assistant is stuck' },
    },
    // corrects a failed edit, in a request of its own
    { kind: 'subagent', when: { system: 'You are an expert code-editing assistant' } },
    {
      kind: 'probe',
      when: { system: 'You are a security expert responsible for generating fine-grained security policies' },
    },
    { kind: 'probe', when: { system: 'You are a security enforcement engine' } },
    { kind: 'probe', when: { user: 'You are a professional prompt engineering assistant.', noTools: true } },
    { kind: 'probe', when: { user: 'You are an expert context compressor.', noTools: true } },
    {
      kind: 'compaction',
      when: { system: 'You are a specialized system component responsible for distilling chat history' },
    },
    { kind: 'compaction', when: { user: 'Generate a new <state_snapshot>' } },
    { kind: 'compaction', when: { user: 'Critically evaluate the <s' } },
    // a headless main agent calls itself autonomous too, so the words count for the terminal UI only
    {
      kind: 'subagent',
      when: {
        system: 'You are Gemini CLI, an autonomous CLI agent',
        header: { header: 'user-agent', starts: 'GeminiCLI-tui' },
      },
    },
    {
      kind: 'probe',
      when: { user: 'Analyze *only* the content and structure of your immediately preceding response' },
    },
  ],
  written: [
    { starts: '<session_context>' },
    { starts: 'This is the Gemini CLI. We are setting up the context for our chat.' },
    { starts: '<state_snapshot>' },
    { starts: 'System: Potential loop d' },
    { starts: '[System: You ' },
    { is: 'System: Please continue.' },
    { is: 'Please continue.' },
    { block: '<hook_context>', close: '</hook_context>' },
    { fromLine: '--- Content from referenced files ---' },
  ],
}
