import { launchConfigOf, findComposerBy, opencode } from './opencode.ts'
import type { AgentFacts, ScreenFacts } from './types.ts'

/** opencode's screen, except for the label (`Code  · Model`), the words of the placeholder and the banner. */
const screen = (like: ScreenFacts): ScreenFacts => ({
  ...like,
  findComposer: findComposerBy(/\S {2}· \S/),
  placeholder: /^Ask anything\.\.\./,
  fresh: { ...like.fresh, banner: /██ {2}██ ██🬺🬏/u },
})

/** Kilo Code CLI, which grew out of opencode, measured with 7.7.9 in tmux and in a PTY. */
export const kilo: AgentFacts = {
  ...opencode,
  client: 'kilo',
  programs: ['kilo', 'kilocode'],
  programPaths: [/\/@kilocode\/cli(?:-[\w-]+)?\//],
  gapMs: { short: 150, long: 500 },
  screen: opencode.screen && screen(opencode.screen),
  resume: null,
  launch: ({ baseUrl, key, args }) => ({
    argv: ['kilo', ...args],
    env: { ONWARD_KEY: key, KILO_CONFIG_CONTENT: launchConfigOf(baseUrl, ['code', 'plan']) },
    files: [],
  }),
}
