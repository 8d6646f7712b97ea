import type { ClientProfile, KindRule } from './profile.ts'

const compactionOpenings = [
  'Handoff Summary',
  'Handoff summary',
  'HANDOFF SUMMARY',
  'Create a handoff summary',
  'You are performing a CONTEXT CHECKPOINT COMPACTION',
  'You are about to run out of context. Create a handoff summary',
  'Your task is to create a detailed summary of the conversation so far',
  'Generate a new <state_snapshot>',
]
const compactionSystems = [
  'You are performing a CONTEXT CHECKPOINT COMPACTION',
  'You are a helpful AI assistant tasked with summarizing conversations',
  'You are a context summarization agent',
  'You are the component that summarizes',
  'You are a specialized system component responsible for distilling chat history',
]

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
    // sentinels of compactions, whoever sends them: a program, or an agent behind a gateway that takes its headers away
    ...compactionOpenings.map((opens): KindRule => ({ kind: 'compaction', when: { opens } })),
    {
      kind: 'compaction',
      when: { opens: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.', userHas: 'create a detailed summary' },
    },
    ...compactionSystems.map((leads): KindRule => ({ kind: 'compaction', when: { leads } })),
  ],
  written: [{ block: '<system-reminder>', close: '</system-reminder>' }, { starts: '<environment_context>' }],
}
