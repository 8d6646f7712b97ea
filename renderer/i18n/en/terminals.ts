import { plural as count } from '../../../shared/sentences/figures.ts'

export const terminal = {
  label: (client: string, folder: string | null) => `Terminal, ${client}${folder ? ` in ${folder}` : ''}`,
  size: (cols: number, rows: number) => `${cols} × ${rows}`,
  find: 'Find in the terminal',
  findNext: 'Next',
  findPrevious: 'Previous',
  noMatch: 'No match',
  closeFind: 'Close find',
  copyScreen: 'Copy the screen',
  copied: 'Screen copied',
  copyReport: 'Copy the screen for a report',
  copyReportHint: 'Letters become x and digits 9: none of your text leaves, only signs, colours and layout',
  reportCopied: 'Screen copied without its texts',
  actions: 'Terminal actions',
  rename: 'Rename the terminal',
  close: 'Close the terminal',
  closeTitle: (name: string) => `Close ${name}?`,
  closeText: 'The agent in it ends with it. Its conversation stays with the agent and can be resumed there.',
  closeYes: 'Close the terminal',
  keep: 'Keep it',
  youAreTyping: 'You are typing',
  youAreTypingHint: 'Automation holds back while you type',
  attach: 'Copy attach command',
  attachCopied: 'Attach command copied',
  readOnlyPane: 'watched, type in tmux',
  readOnlyDevice: 'watched, type at the computer',
  readOnlyWrapped: 'watched, type in its own window',
  readOnlyAcp: 'driven by an editor over ACP: write there',
  inEditor: 'editor (ACP)',
  next: (text: string) => `Next: “${text}”`,
  edit: 'Edit',
  drop: 'Drop',
  ended: (code: number | null) =>
    code === null ? 'This terminal has ended.' : `This terminal has ended with exit code ${code}.`,
  lost: 'The screen could not be followed',
  none: 'This session has no terminal',
  noneText:
    'Onward types only into a terminal it knows. Start the agent here, or with the launcher in your own terminal.',
  firstMessage: 'A first message for the agent',
  firstTurn: 'Its session appears with its first turn.',
}

export const adopt = {
  title: 'Agents in tmux that Onward does not know',
  hint:
    'An adopted one is shown here, and followups can be typed ' +
    'there. It is kept going once its calls come through Onward.',
  adopt: 'Adopt',
  adoptWhich: (agent: string, session: string, pane: string) => `Adopt ${agent} in ${session}, ${pane}`,
  again: 'Look again',
}

export const newTerminal = {
  title: 'New terminal',
  agent: 'Agent',
  looking: 'Looking for agents',
  noneFound: 'No agent was found in your PATH. A command can be started all the same.',
  command: 'Another command',
  commandField: 'Command',
  commandPlaceholder: 'aider --model gpt-5',
  badCommand: 'A quote is not closed.',
  noCommand: 'Say which command to start.',
  args: 'Extra arguments',
  argsPlaceholder: 'none',
  folder: 'Folder',
  folderHint: 'Your home folder, unless you name one',
  name: 'Name',
  nameHint: 'optional',
  open: 'Open',
  cancel: 'Cancel',
  note: 'For this process only, it talks to Onward. Nothing of your own set-up is changed.',
}

export const folder = {
  recent: 'Recent folders',
  pick: 'Choose…',
  title: 'Choose a folder',
  list: 'Folders',
  above: 'The folder above',
  hidden: 'Hidden folders',
  none: 'There is no folder in it.',
  count: (name: string, n: number, more: boolean) =>
    more ? `${name}: the first ${count(n, 'folder')}` : `${name}: ${count(n, 'folder')}`,
  back: 'Back',
  choose: (name: string) => `Use “${name}”`,
  problems: {
    'folder-not-found': (path: string) => `There is no folder ${path}.`,
    'folder-not-readable': (path: string) => `${path} may not be read.`,
    'not-a-folder': (path: string) => `${path} is a file.`,
  },
}
