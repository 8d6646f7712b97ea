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

/** Any SDK program, or a client that was not measured yet. These rules hold for every client. */
export const other: ClientProfile = {
  client: 'other',
  recognise: [],
  headless: [],
  kinds: [
    // a request for one token checks reachability or quota, and is never a turn
    { kind: 'probe', when: { body: { path: ['max_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['max_completion_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['max_output_tokens'], is: 1 } } },
    { kind: 'probe', when: { body: { path: ['generationConfig', 'maxOutputTokens'], is: 1 } } },
    // sentinels of compactions from any sender: a program, or an agent behind a gateway that takes its headers away
    ...compactionOpenings.map((opens): KindRule => ({ kind: 'compaction', when: { opens } })),
    {
      kind: 'compaction',
      when: { opens: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.', userHas: 'create a detailed summary' },
    },
    ...compactionSystems.map((leads): KindRule => ({ kind: 'compaction', when: { leads } })),
  ],
  written: [{ block: '<system-reminder>', close: '</system-reminder>' }, { starts: '<environment_context>' }],
}
