import type { AgentFacts } from './types.ts'

/**
 * Any other program. Its screen is unknown, so only its own OSC 7501 report counts as idle. It is found in front of its
 * terminal by the process Onward started, not by name.
 */
export const other: AgentFacts = {
  client: 'other',
  programs: [],
  programPaths: [],
  gapMs: { short: 300, long: 500 },
  stoodMs: 0,
  bracketedPaste: false,
  expands: [],
  commands: [],
  screen: null,
  resume: null,
  launch: ({ baseUrl, key, args }) => ({
    argv: [...args],
    env: {
      OPENAI_BASE_URL: `${baseUrl}/v1`,
      OPENAI_API_KEY: key,
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: key,
      ONWARD_KEY: key,
    },
    files: [],
  }),
}
