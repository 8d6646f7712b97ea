import type { AccessUse, SetupObstacle } from '../../../shared/setup/first-run.ts'

export const firstRun = {
  open: 'Set up Onward',
  title: 'Your agents stop. Onward makes them go on.',
  lead:
    'Three steps, about two minutes. What leaves this computer: the calls to the provider you choose, and once an ' +
    'hour a question to a time server, which Settings switches off.',
  leave: 'Leave for now',
  foot: 'Everything here can be changed later in Settings',
  engineOn: (address: string) => `Engine on ${address}`,
  change: 'Change',
  step: (n: number, name: string) => `Step ${n}: ${name}`,
  models: {
    name: 'Models',
    hint: 'Which models your agents reach',
    found: 'Found on this machine',
    looking: 'Looking for sign-ins and keys',
    none: 'No sign-in and no key was found on this machine.',
    use: 'Use',
    useNamed: (name: string, where: string) => `Use ${name} of ${where}`,
    inUse: (provider: string) => `In use as ${provider}`,
    how: (use: AccessUse): string => {
      if (use.how === 'env') return 'The variable is named in the config, its value stays where it is'
      if (use.how === 'login') return 'Your login goes through with each call of Claude Code, nothing is kept'
      if (use.how === 'copy') return 'The key is copied into Onward’s own secrets, readable by you only'
      return use.why === 'database'
        ? 'Its keys are in a database that Onward does not read'
        : 'A login that only its own tool can use'
    },
    writes: 'What is written into the config',
    orKey: 'Or paste a key',
    provider: 'Provider',
    key: (name: string) => `Key of ${name}, kept on this computer, readable by you only`,
    local: (name: string) => `${name} needs no key`,
    other: 'Another provider',
    test: 'Test and use',
    testNote: 'One real call, for less than a cent.',
    emptyKey: 'Paste the key first.',
    refused: (why: string) => `Not added: ${why}`,
    keep: 'Add it all the same',
    simulator: 'Use the simulator',
    simulatorNote: 'No account needed. Its answers are scripted.',
    answered: (provider: string, model: string, took: string) => `${provider} answered in ${took} with ${model}`,
    loginAdded: (provider: string) => `${provider}: your login goes through`,
    noAnswer: (provider: string, why: string) => `${provider} is added and did not answer: ${why}`,
    listed: (provider: string, n: number) =>
      `${provider} lists ${n} models and is in no route yet: choose one under Providers & routing`,
    simulated: 'The simulator answers',
    configured: (names: string) => `In use: ${names}`,
  },
  agents: {
    name: 'An agent',
    hint: 'Start one here, or point it at Onward for good',
    found: 'Agents found',
    looking: 'Looking for agents',
    none: 'No agent was found on this machine. The demo brings its own.',
    here: 'Start here',
    hereNote: 'In a terminal of Onward’s, in this dashboard.',
    tmux: 'Or in your own terminal, in a tmux session:',
    forGood: 'Set up for good',
    forGoodNote: (agent: string) =>
      `${agent} then reaches Onward however it is started, and needs Onward ` +
      'running. Followups are typed in tmux and in terminals of Onward’s.',
    notForGood: (agent: string) =>
      `How ${agent} is set up for good is not known. Start it here or with the line above.`,
    apply: 'Change the file',
    applyAll: 'Change the files',
    keep: 'A copy is kept. Undo puts back exactly the old bytes.',
    fresh: 'new',
    added: (n: number) => (n === 1 ? '1 line added' : `${n} lines added`),
    changedLines: (added: number, removed: number) => `${added} added, ${removed} removed`,
    gap: 'unchanged lines',
    done: (agent: string, files: string) => `${agent} reads Onward’s address from ${files}`,
    undo: 'Undo',
    changed: (files: string, backups: string) =>
      `${files} changed since, so Undo leaves it alone. The old text is kept in ${backups}.`,
    impossible: (code: SetupObstacle, path: string | null): string => {
      if (code === 'server-keys')
        return (
          'Callers of this engine have to send a key, and Onward ' +
          'writes none into an agent’s file. Start the agent here.'
        )
      if (code === 'taken-name') return `${path ?? 'Its settings'} names a provider “onward” already.`
      return `${path ?? 'Its settings'} can’t be read: it has a mistake, or is no text.`
    },
    skip: 'Go on to the demo',
  },
  demo: {
    name: 'Try it',
    hint: 'A demo agent stops, is continued three times, and an alarm rings',
    start: 'Start the demo',
    again: 'Start it again',
    note: 'It runs on the built-in simulator and costs nothing.',
    stops: 'The demo agent stops after one turn',
    types: 'Onward types the next message, the agent confirms',
    more: 'Two more rounds',
    rings: 'An alarm rings, you get a notification',
    count: (n: number, of: number) => `${n} / ${of}`,
    rounds: (n: number, of: number) => `${n} of ${of} rounds`,
    watch: 'Show its terminal',
    finish: 'Open the dashboard',
    tray: 'Onward stays in the tray when you close the window.',
    did: 'The demo ran three rounds',
    done: 'done',
    runs: 'running',
    waits: 'waiting',
    ended: 'The demo agent ended before it was through.',
  },
}
