import type { Command } from 'commander'
import { asksForPerson } from '../../../../shared/asks-for-person.ts'
import { isOpen } from '../../../../shared/drives.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import { targetText } from '../../../../shared/target-text.ts'
import type { EngineStatus, SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { fullDisk } from '../../doctor/home.ts'
import { withEngine } from '../../engine.ts'
import { oneLine } from '../../output/clean.ts'
import { facts } from '../../output/columns.ts'
import { plural, printJson, tilde, wordsOf } from '../../output/print.ts'
import { sessionRows, sorted } from '../../output/session-rows.ts'
import { sayProblems } from '../settings/config-file.ts'
import { heldRows } from './markers.ts'
import { engineOf, wantsJson } from '../../place.ts'

export function addStatus(program: Command, cli: Cli): void {
  const command = program
    .command('status')
    .summary('what the engine does right now')
    .description('What the engine does right now, and who needs you.')
  examples(withCommon(command), [
    ['onward status', 'a glance'],
    ['onward status --json', 'the same for a script'],
  ])
  command.action(async () => {
    const place = engineOf(command, cli)
    const [status, sessions] = await withEngine(place, (calls) =>
      Promise.all([calls.status.query(), calls.sessions.query()]),
    )
    const full = place.machine ? null : await fullDisk(place.home)
    if (wantsJson(command))
      return printJson(cli, { running: true, ...status, ...(full !== null && { diskFull: true }) })
    if (full !== null) cli.out(`${wordsOf(cli).style.shape('failed', '▲')} ${oneLine(full)}\n`)
    cli.out(statusText(status, sessions, cli, await cli.parts.sentencesOf(status.language)))
  })
}

/** `Limits  anthropic: reached at 14:10, lifts at 16:00, 2 sessions go on then` */
function limitFacts({ limits = [] }: EngineStatus, { figures }: Sentences): [string, string][] {
  return limits.map(({ provider, since, lifts, resuming }, i) => [
    i === 0 ? 'Limits' : '',
    [
      `${provider}: reached at ${figures.minute(since)}`,
      lifts === null ? 'no time told when it lifts' : `lifts at ${figures.minute(lifts)}`,
      resuming > 0 && `${plural(resuming, 'session')} ${resuming === 1 ? 'goes' : 'go'} on then`,
    ]
      .filter(Boolean)
      .join(', '),
  ])
}

/** `Near a limit  docs: Held until 16:00: 92% of anthropic’s limit “5h” are used` */
const nearLimitFacts = (sessions: readonly SessionView[], { hold }: Sentences): [string, string][] =>
  sessions
    .flatMap(({ name, say }) =>
      say.code === 'held' && say.reason.code === 'near-limit' ? [`${name}: ${hold(say.reason)}`] : [],
    )
    .map((text, i) => [i === 0 ? 'Near a limit' : '', text])

/** `Stand-ins  docs: zai/glm-5 until anthropic/claude-sonnet answers again` */
function standInFacts(sessions: readonly SessionView[]): [string, string][] {
  return sessions
    .flatMap(({ name, outage }) =>
      outage && outage.standIn !== null ? [{ ...outage, name, standIn: outage.standIn }] : [],
    )
    .map(({ name, standIn, failed }, i) => [
      i === 0 ? 'Stand-ins' : '',
      `${name}: ${targetText(standIn)} until ${failed.map(targetText).join(' or ')} answers again`,
    ])
}

/** `Caches  docs: The provider keeps its cache until 14:05`, of sessions in which something waits */
const cacheFacts = (sessions: readonly SessionView[], s: Sentences, now: number): [string, string][] =>
  sessions
    .flatMap(({ name, cacheUntil, keepWarm }) =>
      cacheUntil === undefined
        ? []
        : [`${name}: ${s.cacheUntil(cacheUntil, now)}${keepWarm ? `. ${s.keepWarm(keepWarm, now)}` : ''}`],
    )
    .map((text, i) => [i === 0 ? 'Caches' : '', text])

/** `Started again  docs: 2 times` */
const startFacts = (sessions: readonly SessionView[]): [string, string][] =>
  sessions
    .filter(({ shape }) => shape !== 'gone')
    .flatMap(({ name, startedAgain }) => (startedAgain ? [`${name}: ${plural(startedAgain, 'time')}`] : []))
    .map((text, i) => [i === 0 ? 'Started again' : '', text])

/** `Delivery  docs: Texts go to the agent’s own inbox` */
const inboxFacts = (sessions: readonly SessionView[], sentences: Sentences): [string, string][] =>
  sessions
    .filter(({ shape }) => shape !== 'gone')
    .flatMap(({ name, inbox }) => (inbox ? [`${name}: ${sentences.inbox(inbox)}`] : []))
    .map((text, i) => [i === 0 ? 'Delivery' : '', text])

/** `Go on by  docs: Goal, Schedule, 2 Shell` */
const driveFacts = (sessions: readonly SessionView[], { driveKind, figures }: Sentences): [string, string][] =>
  sessions
    .flatMap(({ name, drives = [] }) => {
      const kinds = drives.filter(isOpen).map(({ kind }) => driveKind(kind))
      return kinds.length === 0 ? [] : [`${name}: ${figures.list(kinds)}`]
    })
    .map((text, i) => [i === 0 ? 'Go on by' : '', text])

/** `Alarms  3 wait, the next in 18 min in billing-service, 2 missed` */
function alarmFacts({ alarms }: EngineStatus, { figures }: Sentences, now: number): [string, string][] {
  if (!alarms || alarms.waiting + alarms.missed === 0) return []
  const { waiting, missed, next } = alarms
  return [
    [
      'Alarms',
      [
        waiting > 0 && `${waiting} ${waiting === 1 ? 'waits' : 'wait'}`,
        next && `the next ${next.dueAt > now ? `in ${figures.left(next.dueAt, now)}` : 'now'} in ${next.sessionName}`,
        missed > 0 && `${missed} missed (\`onward alarm missed\`)`,
      ]
        .filter(Boolean)
        .join(', '),
    ],
  ]
}

function statusText(status: EngineStatus, sessions: readonly SessionView[], cli: Cli, sentences: Sentences): string {
  const words = wordsOf(cli)
  const { style } = words
  const { figures } = sentences
  const now = cli.now()
  const shape = status.paused ? 'paused' : 'working'
  const [sign, does] = status.paused ? ['⏸', 'is paused'] : ['●', 'runs']
  const name = style.strong(`Onward ${oneLine(status.version)}`)
  const since = style.quiet(`pid ${status.pid}, for ${figures.span(now - status.startedAt)}`)
  const head = `${style.shape(shape, sign)} ${name} ${does} at http://${status.host}:${status.port} ${since}\n`
  const warnings = [
    status.paused && `${style.shape('paused', '⏸')} No followup is typed until \`onward resume\`.\n`,
    status.finishing &&
      `${style.shape('held', '◐')} It ends: ${plural(status.finishing.answers, 'answer')} to finish, at most ` +
        `${figures.left(status.finishing.until, now)}. New requests are not taken.\n`,
    status.awake && `${style.shape('working', '●')} ${sentences.tray.awake(status.awake)}.\n`,
    status.simulator && `${style.shape('needs', '◆')} No provider is set up: answers come from the simulator.\n`,
    status.configProblem !== null && configWarning(status, cli, sentences),
  ]
    .filter((line) => typeof line === 'string')
    .join('')
  const { counts, today } = status
  const about = facts(
    [
      ['Home', tilde(status.home, cli.env.HOME)],
      ['Config', tilde(status.configPath, cli.env.HOME)],
      [
        'Providers',
        status.providers
          .map((p) => `${p.id} (${p.type}, ${plural(p.models, 'model')}, ${plural(p.keys, 'key')})`)
          .join(', ') || 'none',
      ],
      ...limitFacts(status, sentences),
      ...nearLimitFacts(sessions, sentences),
      ...standInFacts(sessions),
      ...cacheFacts(sessions, sentences, now),
      ...startFacts(sessions),
      ...inboxFacts(sessions, sentences),
      ...driveFacts(sessions, sentences),
      [
        'Sessions',
        [
          String(counts.sessions),
          counts.activity > 0 && `${counts.activity} working`,
          counts.needsYou > 0 && `${counts.needsYou} ${counts.needsYou === 1 ? 'needs' : 'need'} you`,
        ]
          .filter(Boolean)
          .join(', '),
      ],
      ['Terminals', String(counts.terminals)],
      ...alarmFacts(status, sentences, now),
      [
        'Today',
        [plural(today.turns, 'turn'), `${figures.tokens(today.tokens)} tokens`, figures.cost(today)]
          .filter(Boolean)
          .join(', '),
      ],
    ],
    style.quiet,
  )
  const needing = sorted(sessions).filter(asksForPerson)
  const list = needing.length > 0 ? `\n${sessionRows(needing, words, sentences, now)}` : ''
  const asked = sorted(sessions).filter(({ heldMarkers = [] }) => heldMarkers.length > 0)
  const markers =
    asked.length > 0
      ? `\n${heldRows(asked, words, sentences, now)}` +
        `${style.quiet('Apply or forget: onward markers apply <session>, onward markers forget <session>')}\n`
      : ''
  return `${head}${warnings}\n${about}${list}${markers}`
}

type Status = Pick<EngineStatus, 'configPath' | 'configProblem' | 'configTrouble'>

/** The problem in the config file and its place, the config that runs meanwhile, and what a person can do. */
function configWarning(status: Status, cli: Cli, sentences: Pick<Sentences, 'meanwhile'>): string {
  const { style } = wordsOf(cli)
  const sign = style.shape('failed', '▲')
  const { configTrouble: trouble, configPath, configProblem } = status
  // an engine of an earlier version says it in one sentence
  if (!trouble) return `${sign} Config not taken over: ${oneLine(configProblem ?? '')}\n`
  const more = trouble.total - trouble.problems.length
  return [
    `${sign} Config not taken over. ${sentences.meanwhile(trouble.meanwhile)}\n`,
    trouble.what === null ? sayProblems(configPath, trouble.problems, cli) : `${sign} ${oneLine(trouble.what)}\n`,
    more > 0 ? `  And ${more} more.\n` : '',
    `  Mend it: ${style.strong('onward config edit')}\n`,
    trouble.canPutBack ? `  Put back the last one that was right: ${style.strong('onward config put-back')}\n` : '',
  ].join('')
}
