import type { SettingName } from '../../../shared/settings.ts'

const hints: Readonly<Partial<Record<SettingName, string>>> = {
  'clock.retentionMs': 'An alarm that could not ring for longer is missed.',
  'clock.dueWindowMs': 'A request that comes so long before an alarm takes it along.',
  'clock.holdMaxMs': 'When an alarm is about to ring; 0 for never.',
  'clock.ntp.servers': 'Asked in turn until one answers.',
  'stopMessage.backgroundWaitSeconds':
    'For a command, a monitor or a sub-agent that runs on. Each is waited for once; 0 for not at all.',
  'stopMessage.settleMs': 'So that the agent has drawn its screen.',
  'goal.keepAwake': 'It may sleep again once nothing is set any more.',
  'goal.revive': 'At most three times an hour; one that you quit stays closed.',
  'limits.order': 'Any of key, provider and wait; what stands behind wait is not tried.',
  'recover.when': 'When a provider that failed answers again. Each session has a switch of its own.',
  'recover.mostPerOutage': 'Until a turn is answered; then you are asked.',
  'stopMessage.review.command': 'It reads the question on its stdin.',
  'stopMessage.review.checkTimeoutSeconds': 'Where the check does not say it itself.',
  'servertools.maxDepth': 'Answers that call tools behind the first one.',
  'servertools.maxSeconds': 'For all tools of one answer together.',
  'servertools.beside': 'Only for “beside certain tools”.',
  'servertools.webFetch.allow': 'Hosts, addresses or ranges that are not public and may be read all the same.',
  'server.allowedHosts': 'Names under which other machines call this one.',
}

/** Single settings of the config. */
export const setting = {
  hints,
  names: {
    'clock.retentionMs': 'Ring late by up to',
    'clock.dueWindowMs': 'Take alarms along early by',
    'clock.holdMaxMs': 'Hold an answer open for at most',
    'clock.holdNonStreaming': 'Hold also answers that come in one piece',
    'clock.tickMs': 'Look at the clock every',
    'clock.ntp.servers': 'Time servers',
    'clock.ntp.timeoutMs': 'Wait for a time server',
    'clock.ntp.refreshMs': 'Ask time servers every',
    'stopMessage.backgroundWaitSeconds': 'Wait for background work',
    'stopMessage.settleMs': 'Wait before typing',
    'goal.keepAwake': 'Keep the machine awake while a goal is set',
    'goal.revive': 'Start an agent again that ends by itself',
    'limits.order': 'At a limit, in this order',
    'recover.when': 'Go on after a failed turn',
    'recover.text': 'Say then',
    'recover.mostPerOutage': 'In one outage at most',
    'recover.mostPerDay': 'A day and session at most',
    'stopMessage.review.backend': 'Reviewed by',
    'stopMessage.review.model': 'Model of the reviewer',
    'stopMessage.review.command': 'Command of the reviewer',
    'stopMessage.review.timeoutSeconds': 'A review takes at most',
    'stopMessage.review.maxSteps': 'Answers until the verdict',
    'stopMessage.review.checkTimeoutSeconds': 'A check takes at most',
    'stopMessage.review.context.textChars': 'Sees of the agent’s last words',
    'stopMessage.review.context.calls': 'Sees the last tool calls',
    'stopMessage.review.context.callChars': 'Sees of each call',
    'stopMessage.review.context.rounds': 'Sees earlier rounds',
    'servertools.maxDepth': 'Rounds of tools in one answer',
    'servertools.maxSeconds': 'Time for tools in one answer',
    'servertools.declare': 'Offered',
    'servertools.beside': 'Beside these tools of the agent',
    'servertools.webFetch.allow': 'web_fetch: private places',
    'servertools.webFetch.maxChars': 'web_fetch: text of a page',
    'servertools.webFetch.timeoutSeconds': 'web_fetch: wait for a page',
    'servertools.webFetch.maxBytes': 'web_fetch: size of a page',
    'servertools.webSearch.results': 'web_search: results',
    'server.host': 'Listens on',
    'server.allowedHosts': 'Names of this machine',
  } satisfies Record<SettingName, string>,
  units: {
    ms: 'ms',
    seconds: 's',
    minutes: 'min',
    megabytes: 'MB',
    characters: 'characters',
    rounds: 'rounds',
    calls: 'calls',
    answers: 'answers',
    results: 'results',
    times: 'times',
  },
  choices: {
    model: 'A model',
    command: 'A command',
    always: 'Always',
    armed: 'With a goal',
    never: 'Never',
    conditional: 'Beside certain tools',
  },
  usual: (value: string) => `Default: ${value}`,
  back: (name: string) => `Back to the default of ${name}`,
  saved: (name: string, value: string) => `${name}: ${value}`,
  more: 'More numbers',
  none: 'none',
  byRoute: 'the route review',
  noNumber: 'Write a number in figures.',
  notWhole: 'Write a whole number.',
  range: (min: string | null, above: boolean, max: number | null, unit: string) =>
    max !== null
      ? `From ${min ?? '0'} to ${max} ${unit}.`
      : above
        ? `More than ${min ?? '0'} ${unit}.`
        : `At least ${min ?? '0'} ${unit}.`,
  openQuote: 'A quote is not closed.',
  noTarget: 'Write provider.model, or nothing for the route.',
}

export const security = {
  title: 'Security',
  bind: 'Listens on',
  onlyHere: '127.0.0.1, this machine only',
  everywhere4: '0.0.0.0, all networks (IPv4)',
  everywhere6: '::, all networks (IPv4 and IPv6)',
  closed: 'Only this machine can reach Onward.',
  openWarning:
    'Other machines can reach Onward. Each call from there needs a key, and whoever has one can use your ' +
    'providers. Nothing is encrypted on the way: use it in a network you trust, or behind a proxy with https.',
  keyFirst: 'Add a key first: without one every machine that reaches Onward could use your providers.',
  nextStart: (running: string) =>
    `Counts when Onward starts again; it listens on ${running} until then. Sessions, ` +
    'goals and alarms are kept for each address: at another one the list begins ' +
    `empty, and those of ${running} are there again when it goes back.`,
  hostSaved: (host: string) => `Listens on ${host} from the next start on`,
  kept: 'Stored keys of providers',
  move: {
    keychain: (count: number) => `Move ${count === 1 ? '1 key' : `${count} keys`} to the keychain`,
    file: (count: number) => `Move ${count === 1 ? '1 key' : `${count} keys`} to the file`,
  },
  moveOn: 'Try again',
  who: 'Keys of callers',
  noKeys:
    'None: every program of yours on this machine may call on Linux. ' +
    'Elsewhere agents started by `onward` may, with a key each of their own.',
  keysHint: 'A call needs one of these. Agents started by `onward` have a key each, which ends with their terminal.',
  add: 'Add a key',
  addTitle: 'A key for a caller',
  firstKey:
    'From the first key on, every program that calls needs one. Agents started ' +
    'by Onward have theirs; others that call without a key are refused.',
  name: 'Name',
  nameHint: 'who it is for',
  nameless: 'Say who it is for.',
  taken: 'There is a key of that name already.',
  cancel: 'Cancel',
  make: 'Make the key',
  madeTitle: (name: string) => `The key of ${name}`,
  once: 'Copy it now: it is shown this once. The config keeps its hash only.',
  howSent: 'It is sent as an API key of OpenAI, Anthropic or Google is. It counts from now on.',
  done: 'I have it',
  unnamed: 'without a name',
  inFile: 'stands in the config as text',
  hashed: 'its hash stands in the config',
  remove: (name: string) => `Remove the key of ${name}`,
  removed: (name: string) => `Key of ${name} removed`,
}
