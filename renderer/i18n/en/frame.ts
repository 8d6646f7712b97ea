export const views = {
  sessions: 'Sessions',
  alarms: 'Alarms',
  activity: 'Activity',
  providers: 'Providers & routing',
  settings: 'Settings',
}

export const rail = { label: 'Views', sessionsNeed: (n: number) => `Sessions, ${n} ${n === 1 ? 'needs' : 'need'} you` }

export const status = {
  label: 'Status',
  running: 'running',
  engineOn: 'Engine on',
  finishingHint: (time: string) => `The engine ends when they are out, at ${time} at the latest.`,
  offline: 'Engine stopped',
  lost: 'Connection lost',
  lastSeen: (time: string) => `Last seen ${time}`,
  working: (n: number) => `${n} working`,
  needYou: (n: number) => (n === 1 ? '1 needs you' : `${n} need you`),
  today: (tokens: string, cost: string | null) => (cost ? `Today ${tokens} tokens, ${cost}` : `Today ${tokens} tokens`),
  simulator: 'Simulator: answers are scripted',
  simulatorHint: 'No provider is configured. Add one to the config file; it is read again at once.',
  allPaused: 'All automation is paused',
  zone: (zone: string) => `Times of ${zone}`,
  zoneHint: (own: string) => `All times are those of the engine. Your browser is in ${own}.`,
  fails: (provider: string) => `${provider} fails`,
  moreLimits: (n: number) => `and ${n} more`,
  limitHint: 'Show providers',
}

export const banner = {
  stopped: (time: string) => `The engine stopped at ${time}.`,
  stoppedText: 'Agents can’t reach their models, and nothing is typed.',
  never: 'No engine answers at this address.',
  startLine: 'onward start',
  tryNow: 'Try again',
  lost: 'Connection lost.',
  retryIn: (span: string) => `Trying again in ${span}.`,
  now: 'Now',
  from: (time: string) => `What you see is from ${time}. Agents go on without this window.`,
  paused: 'All automation is paused. Followups wait, nothing is typed.',
}

export const gate = {
  title: 'This page needs its link',
  text: 'The key to the engine comes with the link and is kept in this window only. Print a new link and open it.',
  refusedTitle: 'The engine does not take this link any more',
  refusedText:
    'A link is good for one window, for as long as the engine runs that made it. Print a new one and open it.',
  revokedTitle: 'This device is not paired any more',
  revokedText: 'It was revoked. Make a new code at the computer and scan it.',
  strangerTitle: 'Something else answers at the engine’s address',
  strangerText:
    'It could not prove that it is the engine this window belongs to, and was told nothing. ' +
    'Do not reload this page; see what listens there, start the engine and print a new link.',
  insecureTitle: 'A browser can’t prove itself at this address',
  insecureText: 'It can at 127.0.0.1, through an SSH tunnel for instance, and over https. Open the link there.',
  line: 'onward dashboard',
  inClone: { text: 'or, in the folder of a clone:', line: 'node bin/onward.mjs dashboard' },
}

export const palette = {
  label: 'Command palette',
  placeholder: 'A command, a session, or words that were said',
  nothing: 'Nothing matches',
  choose: 'choose',
  run: 'run',
  close: 'close',
  everywhere: 'Everywhere',
  sessions: 'Sessions',
  said: 'Said',
}

export const commands = {
  pauseSession: 'Pause this session',
  resumeSession: 'Resume this session',
  pauseAll: 'Pause all automation',
  resumeAll: 'Resume all automation',
  armGoal: 'Set a goal',
  editGoal: 'Edit the goal',
  addTen: 'Ten more rounds',
  showRounds: 'Show all rounds',
  showDrives: 'Show what else keeps the agent going',
  allowCheck: (name: string) => `Approve the check ${name}`,
  addCheck: 'Add a check',
  clearGoal: 'Clear the goal',
  reArm: 'Re-arm',
  newTerminal: 'New terminal',
  nextNeedsYou: 'Next session that needs you',
  searchList: 'Search in the list',
  rename: 'Rename',
  archive: 'Archive',
  goTo: (what: string) => `Go to ${what}`,
  whyOfEvent: 'Show or hide why',
  shortcuts: 'All shortcuts',
  showPaused: 'Show paused sessions',
  showAll: 'Show all sessions',
  themeLight: 'Light theme',
  themeDark: 'Dark theme',
  themeSystem: 'Theme of the system',
  palette: 'Command palette',
  moveInList: 'Move in a list',
  openDetail: 'Open detail',
  back: 'Back, close',
  undo: 'Undo',
  nextPane: 'Next or previous pane',
  findInTerminal: 'Find in the terminal',
  setAlarm: 'Set an alarm for this session',
  newAlarm: 'New alarm',
  snoozeNext: 'Snooze the next alarm for ten minutes',
  showMissed: 'Show missed alarms',
  editInList: 'Edit or cancel an alarm in its list',
  copyBaseUrl: 'Copy base URL',
}

export const shortcuts = {
  title: 'Shortcuts',
  note: 'Single letters work while no input and no terminal has the focus.',
}

export const say = {
  noticesTitle: 'A session needs you',
  noticesText: 'This browser can tell you so while you look elsewhere.',
  noticesYes: 'Notify me',
  noticesNo: 'Not now',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying',
  undo: 'Undo',
  retry: 'Try again',
  close: 'Close',
  offline: 'Not done: there is no connection to the engine',
  failed: (what: string) => `Not done: ${what}`,
  cancel: 'Cancel',
  save: 'Save',
  name: 'Name',
  becameNeeds: (name: string, say: string) => `${name} needs you. ${say}`,
  becameFailed: (name: string, say: string) => `${name} failed. ${say}`,
  becameDone: (name: string, say: string) => `${name} is done. ${say}`,
}

/** a view that is fetched when it is first shown */
export const onDemand = {
  notFetched: 'This part of the page could not be loaded',
  notFetchedHint: 'The engine is not there, or a newer one runs. What you see otherwise stays as it is.',
  reload: 'Load the page anew',
}
