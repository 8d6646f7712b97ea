import type { ClientProfile } from './profile.ts'

/** Codex CLI 0.77 to 0.171. From 0.1xx on the header `x-codex-turn-metadata` says what a request is for. */
export const codex: ClientProfile = {
  client: 'codex',
  recognise: [
    { header: 'user-agent', starts: 'codex' },
    { header: 'originator', starts: 'codex' },
    { header: 'x-codex-turn-metadata' },
    { header: 'x-codex-window-id' },
  ],
  headless: [
    { header: 'user-agent', starts: 'codex_exec' },
    { header: 'originator', starts: 'codex_exec' },
  ],
  // the other values are listed below
  main: { shows: { turnMetadata: { field: 'request_kind', is: 'turn' } } },
  kinds: [
    { kind: 'compaction', when: { turnMetadata: { field: 'request_kind', is: 'compaction' } } },
    { kind: 'compaction', when: { header: { header: 'x-openai-subagent', starts: 'compact' } } },
    { kind: 'compaction', when: { user: 'You are performing a CONTEXT CHECKPOINT COMPACTION.' } },
    { kind: 'probe', when: { turnMetadata: { field: 'request_kind', is: 'prewarm' } } },
    { kind: 'probe', when: { body: { path: ['generate'], is: false } } },
    // its request_kind is "turn" all the same, and its thread's id begins as the conversation's (seen with Codex 0.169)
    { kind: 'title', when: { turnMetadata: { field: 'thread_source', is: 'thread_title' } }, ownThread: true },
    { kind: 'subagent', when: { header: { header: 'x-openai-subagent' } } },
    { kind: 'subagent', when: { header: { header: 'x-codex-parent-thread-id' } } },
    { kind: 'subagent', when: { turnMetadata: { field: 'thread_source', is: 'subagent' } } },
    { kind: 'probe', when: { user: '<next_prompt_suggestion>' } },
    // only request_kind "turn" of thread_source "user" is a user's turn; other values of later releases are not. A side
    // conversation (`/side`, `/btw`) is a fork with the thread_source "tui_side_chat" (0.171)
    { kind: 'aside', when: { turnMetadata: { field: 'request_kind', not: 'turn' } } },
    { kind: 'aside', when: { turnMetadata: { field: 'thread_source', not: 'user' } }, ownThread: true },
  ],
  subagent: { turnMetadata: 'thread_id' },
  // `queue`: from `codex queue`, which any program may run; typed messages have `user`, and the prompt of `codex exec`
  // has `exec` (seen with 0.171.0)
  fromInbox: { turnMetadata: { field: 'turn_trigger', not: ['user', 'exec'] } },
  written: [
    // an editor's extension puts this before the person's words
    { preamble: '# Context from my IDE setup:', until: '## My request for Codex:' },
    // user-role fragments of codex-rs/core/src/context, recognised by their opening tag
    { starts: '# AGENTS.md instructions' },
    { starts: '<user_instructions>' },
    { starts: '<environment_context>' },
    { starts: '<additional_context>' },
    { starts: '<skill>' },
    { starts: '<user_shell_command>' },
    { starts: '<turn_aborted>' },
    { starts: '<subagent_notification>' },
    // an `agent_message` of its input, as Onward reads it
    { starts: '<agent_message>' },
    { starts: '<codex_internal_context' },
    { starts: '<goal_context>' },
    { starts: '<hook_prompt' },
    { starts: '<recommended_plugins>' },
    { starts: '<next_prompt_suggestion>' },
    { starts: 'Another language model started to solve this problem' },
    { starts: 'You are performing a CONTEXT CHECKPOINT COMPACTION.' },
  ],
}
