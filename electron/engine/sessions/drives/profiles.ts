import type { DriveKind } from '../../../../shared/drives.ts'
import type { ClientKind } from '../../../../shared/words.ts'

/** The agent's own mechanisms that begin turns in its session. */
export type Drive = 'own-goal' | 'own-loop' | 'own-schedule'

/**
 * How a client's requests show that a goal, a loop or a schedule of its own drives the session, as data. Facts were
 * measured with unmodified clients against a scripted upstream, or read in their packages where that is said.
 */
export interface DriveProfile {
  /** in order, the first that matches a text or a call counts */
  signs: readonly DriveSign[]
  /** beginnings of the texts by which it goes on at a limit's reset; that is one turn, and drives nothing after it */
  atReset?: readonly string[]
  /** the tools by which it stops work of this kind, as a sentence names them; left out: none was seen */
  stops?: Partial<Record<DriveKind, string>>
  /** timed prompts that the agent makes and deletes by calls; null: it has none */
  jobs: JobTools | null
}

export interface DriveSign {
  of: Drive
  /** `on`, `off`: from here on; `still`: where it is on, it is at work here too */
  says: 'on' | 'off' | 'still'
  when:
    /** a text of a user message that starts so, white space before it aside; `has`: and has these words further on */
    | { text: string; has?: string }
    /** the result of a call to one of these tools has these words */
    | { tools: readonly string[]; result: string }
  /** its words: in that text or result (the first group), or the first of these members of the call's arguments */
  what?: RegExp
  named?: readonly string[]
}

/** Their prompts come back as user messages: framed, or bare, so that only their words differ from a person's. */
export interface JobTools {
  create: string
  remove: string
  /** in the result of `create`; the first group is the job's id */
  created: RegExp
  /** the same for one that comes once and is gone */
  createdOnce: RegExp
  /** how the message begins in which the prompt comes back framed; the first group is the job's id */
  frame?: RegExp
  /** in the result of `remove` */
  removed: RegExp
  /** lists them all, so that one it leaves out is gone; `none`: how its result begins where there is none */
  list?: { tool: string; none: string; each: RegExp }
}

/**
 * Claude Code 2.1.330, measured.
 * Goal: `/goal` is a Stop hook of the session. Setting it sends its command and a text that begins as below; while it
 * is not met, each stop is followed by `Stop hook feedback:` with the condition in brackets. No request says that it is
 * met: the next message is a person's. `/goal clear` leaves its output in the next request.
 * Loop: `/loop` without an interval; the agent arms each next round with ScheduleWakeup (one at most is pending, in 60
 * to 3600 s), which comes back as the command itself. `/loop` with one makes a cron job.
 * Cron jobs: CronCreate, CronDelete, CronList; a turn that one begins says `workload/cron` in its user agent. After
 * `--resume` recurring ones of the session come again (2.1.332, measured), those of one time that were missed do not.
 * From the program of 2.1.332: the model sets and pauses that goal by SetGoal and PauseGoal; one that it proposes
 * begins with a message of its own once the person agrees. At a plan's limit it waits (`autoContinueAtUsageLimit`, on
 * unless a person turns it off) and goes on 30 to 90 s after the reset, or as soon as usage is there again; a message
 * that is entered before that cancels it.
 */
export const claudeDrives: DriveProfile = {
  signs: [
    {
      of: 'own-goal',
      says: 'on',
      when: { text: 'A session-scoped Stop hook is now active with condition:' },
      what: /with condition: "([^]*?)"\. /,
    },
    { of: 'own-goal', says: 'still', when: { text: 'Stop hook feedback:\n[' } },
    { of: 'own-goal', says: 'off', when: { text: '<local-command-stdout>Goal cleared' } },
    { of: 'own-goal', says: 'on', when: { text: 'Goal set: ' }, what: /Goal set: ([^]+)/ },
    { of: 'own-goal', says: 'on', when: { tools: ['SetGoal'], result: 'The goal is set, without an approval' } },
    { of: 'own-goal', says: 'off', when: { tools: ['PauseGoal'], result: 'The goal is paused.' } },
    { of: 'own-loop', says: 'off', when: { text: '<command-message>loop</command-message>' } },
    { of: 'own-loop', says: 'on', when: { tools: ['ScheduleWakeup'], result: 'Next wakeup scheduled for' } },
    { of: 'own-loop', says: 'off', when: { tools: ['ScheduleWakeup'], result: 'Loop stopped' } },
    { of: 'own-loop', says: 'off', when: { tools: ['ScheduleWakeup'], result: 'Wakeup not scheduled' } },
  ],
  atReset: [
    'Your claude.ai usage limit has reset. Continue the task',
    'Your claude.ai usage is available again before the usage-limit reset. Continue the task',
  ],
  stops: {
    loop: 'ScheduleWakeup with stop: true',
    wakeup: 'ScheduleWakeup with stop: true',
    schedule: 'CronDelete',
    command: 'TaskStop',
    monitor: 'TaskStop',
    agent: 'TaskStop',
  },
  jobs: {
    create: 'CronCreate',
    remove: 'CronDelete',
    created: /^Scheduled recurring job (\S+)/,
    createdOnce: /^Scheduled one-shot task (\S+)/,
    removed: /^Cancelled job (\S+?)\.?$/,
    list: { tool: 'CronList', none: 'No scheduled jobs', each: /^(\S+) \u2014 /gm },
  },
}

const goalTools = ['create_goal', 'get_goal', 'update_goal']

/**
 * Codex CLI 0.169.0, measured: `/goal` and the tools `create_goal`, `get_goal`, `update_goal`. While a goal is active,
 * Codex begins the next turn by itself at once with a user item `<codex_internal_context source="goal">`; what the
 * person does with it in the UI comes as `source="user_goal"` before the next turn's message. A tool's result is JSON
 * with `goal.status`: active, paused, blocked, complete, usage_limited or budget_limited (codex-rs/ext/goal). Quotes
 * within the objective are escaped there, so it can't pass for a status. Spent budgets appear in the `source="goal"`
 * frame too.
 */
const codexDrives: DriveProfile = {
  signs: [
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="goal">', has: 'thread goal has reached its token budget' },
    },
    { of: 'own-goal', says: 'on', when: { text: '<codex_internal_context source="goal">' } },
    {
      of: 'own-goal',
      says: 'on',
      when: { text: '<codex_internal_context source="user_goal">', has: 'goal status: "active"' },
      what: /User set the goal: "([^]*?)"\n/,
    },
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="user_goal">', has: 'goal status: "' },
    },
    {
      of: 'own-goal',
      says: 'off',
      when: { text: '<codex_internal_context source="user_goal">', has: 'cleared the goal' },
    },
    // the first releases with goals; from their source, not measured
    { of: 'own-goal', says: 'off', when: { text: '<goal_context>', has: 'thread goal has reached its token budget' } },
    { of: 'own-goal', says: 'on', when: { text: '<goal_context>' } },
    {
      of: 'own-goal',
      says: 'on',
      when: { tools: goalTools, result: '"status":"active"' },
      named: ['objective'],
    },
    { of: 'own-goal', says: 'off', when: { tools: goalTools, result: '"status":"' } },
    { of: 'own-goal', says: 'off', when: { tools: goalTools, result: '"goal":null' } },
    // an automation of the Codex app begins a turn of this thread with it; its words stand in the binary of 0.169.0
    { of: 'own-schedule', says: 'on', when: { text: '<heartbeat>', has: '<automation_id>' } },
  ],
  jobs: null,
}

/**
 * Kimi Code 2.1.0. Measured: cron jobs, whose prompts come back framed. From its package: turns of its goal begin with
 * the words below.
 */
const kimiDrives: DriveProfile = {
  signs: [
    { of: 'own-goal', says: 'on', when: { text: 'Continue working toward the active goal.' } },
    { of: 'own-goal', says: 'on', when: { tools: ['CreateGoal'], result: '"status": "active"' }, named: ['objective'] },
    { of: 'own-goal', says: 'on', when: { tools: ['UpdateGoal'], result: 'Goal resumed.' } },
    { of: 'own-goal', says: 'off', when: { tools: ['UpdateGoal'], result: 'Goal completed successfully' } },
    { of: 'own-goal', says: 'off', when: { tools: ['UpdateGoal'], result: 'State that the goal is blocked' } },
    { of: 'own-schedule', says: 'on', when: { text: '<cron-fire ' } },
  ],
  stops: { schedule: 'CronDelete', command: 'TaskStop', agent: 'TaskStop' },
  jobs: {
    create: 'CronCreate',
    remove: 'CronDelete',
    created: /^id: (\S+)\n(?:.*\n)*recurring: true$/m,
    createdOnce: /^id: (\S+)\n(?:.*\n)*recurring: false$/m,
    frame: /^\s*<cron-fire jobId="([^"]+)"/,
    removed: /^Deleted cron job (\S+?)\.?$/,
    list: { tool: 'CronList', none: 'cron_jobs: 0', each: /^id: (\S+)/gm },
  },
}

/**
 * Qwen Code 0.24.4. Measured: `/goal`, whose turns begin with the words below until it is met, blocked or paused (the
 * UI alone says so), and cron jobs. From its package: `loop_wakeup`, answered and come back as in Claude Code, and the
 * last turn of a goal whose budget is spent.
 */
const qwenDrives: DriveProfile = {
  signs: [
    {
      of: 'own-goal',
      says: 'off',
      when: { text: 'Continue working on the active Goal.', has: 'This is the final turn before the Goal stops' },
    },
    { of: 'own-goal', says: 'on', when: { text: 'Continue working on the active Goal.' } },
    { of: 'own-goal', says: 'off', when: { tools: ['get_goal'], result: '{"active":false' } },
    { of: 'own-loop', says: 'off', when: { text: '# Autonomous loop' } },
    { of: 'own-loop', says: 'off', when: { text: '/loop' } },
    { of: 'own-loop', says: 'on', when: { tools: ['loop_wakeup'], result: 'Scheduled loop wakeup' } },
  ],
  stops: { schedule: 'cron_delete' },
  jobs: {
    create: 'cron_create',
    remove: 'cron_delete',
    created: /^Scheduled recurring job (\S+)/,
    createdOnce: /^Scheduled one-shot task (\S+)/,
    removed: /^Cancelled job (\S+?)\.?$/,
  },
}

/**
 * Searched and not found: opencode 1.18.33 and Gemini CLI 0.61.0 have no goals, loops or schedules of their own. Not
 * measured: GitHub Copilot CLI, Kilo Code.
 */
const none: DriveProfile = { signs: [], jobs: null }

const byKind: Readonly<Record<ClientKind, DriveProfile>> = {
  claude: claudeDrives,
  codex: codexDrives,
  qwen: qwenDrives,
  opencode: none,
  gemini: none,
  copilot: none,
  kimi: kimiDrives,
  kilo: none,
  other: none,
}

export const drivesOf = (client: ClientKind): DriveProfile => byKind[client]
