/** Facts that every package tells of the program: electron-builder and the channels (scripts/channels) read them here. */
export const product = {
  title: 'Onward',
  publisher: 'The Onward authors',
  appId: 'dev.onward.desktop',
  summary: 'Keeps coding agents going',
  description: 'Keeps coding agents going: types the next message when a turn ends, until the goal is reached.',
  keywords: ['agents', 'LLM', 'proxy', 'Claude', 'Codex'],
  category: 'Development',
  /** the program with the window, as it is named on Linux */
  desktopProgram: 'onward-desktop',
  /** of the download page: `<homepage>/releases/download/v<version>/<file>` */
  homepage: process.env.ONWARD_HOMEPAGE ?? 'https://onward.example',
}
