import type { SessionSay } from '../../../shared/state.ts'

/** A question of Claude Code's in a terminal that Onward hosts: its choices can be pressed on the page. */
export const asksWhereToKeepState: Extract<SessionSay, { code: 'needs-you' }> = {
  code: 'needs-you',
  what: 'question: keep the old state bucket or move it?',
  asked: {
    question: 'Keep the old state bucket or move it?',
    about: 'The staging state is in a bucket of the old account. Moving it locks every plan for a few minutes.',
    choices: [
      { label: 'Keep the old bucket', key: '1' },
      { label: 'Move it to the new account, and lock plans meanwhile', key: '2' },
      { label: 'Type something.', key: '3' },
      { label: 'Chat about this', key: '4' },
    ],
  },
}
