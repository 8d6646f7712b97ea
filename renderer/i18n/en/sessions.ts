import type { ClientKind } from '../../../shared/words.ts'
import { plural as count } from '../../../shared/sentences/figures.ts'

export const groups = {
  needs: 'Needs you',
  failed: 'Failed',
  working: 'Working',
  idle: 'Idle',
  done: 'Done',
  ended: 'Ended',
}

export const agents = {
  claude: 'claude',
  codex: 'codex',
  opencode: 'opencode',
  gemini: 'gemini',
  qwen: 'qwen',
  copilot: 'copilot',
  kimi: 'kimi',
  kilo: 'kilo',
  other: 'other',
} satisfies Record<ClientKind, string>

export const list = {
  label: 'Sessions',
  width: 'Width of the list',
  widthHint: 'Drag, or double click to reset',
  filterAndSort: 'Filter and sort',
  palette: 'Command palette',
  newTerminal: 'New terminal',
  pauseAll: 'Pause all automation',
  resumeAll: 'Resume all automation',
  all: 'All',
  search: 'Search sessions',
  searchIn: 'Name, folder, model, goal or followup',
  noMatch: (query: string) => `No session matches “${query}”`,
  noMatchFilter: 'No session fits this filter',
  searched: 'Names, folders, agents, models, goals, followups and alarms were searched.',
  endedHidden: (n: number) =>
    `${count(n, 'session')} ${n === 1 ? 'has' : 'have'} ended and ${n === 1 ? 'is' : 'are'} hidden.`,
  searchEnded: 'Search ended sessions',
  clearFilter: 'Show all sessions',
  loading: 'Loading sessions',
  rounds: (used: number, max: number | null) => `${used} of ${max === null ? 'unlimited' : max} rounds used`,
  reArm: 'Re-arm',
  noTurnYet: 'No turn yet',
  endedTerminal: 'Ended before its first turn',
  asOf: (time: string) => `As of ${time}`,
}

export const filter = {
  show: 'Show',
  everything: 'All sessions',
  armed: 'Armed',
  paused: 'Paused',
  ended: 'Ended sessions too',
  archived: 'Archived sessions too',
  agent: 'Agent',
  anyAgent: 'Any agent',
  sort: 'Sort by',
  recent: 'Last activity',
  name: 'Name',
  folder: 'Folder',
}

export const empty = {
  title: 'No agent has talked to Onward yet',
  text: 'Start one here, or point an agent you already use at this address.',
  line: 'onward claude',
  choose: 'Choose a session',
  chooseText: 'What it does, and why, is shown here.',
  goneTitle: 'This session is not known any more',
  goneText: 'Its terminal ended and its records were cleaned up.',
}
