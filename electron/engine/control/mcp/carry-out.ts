/** Carries out a tool: asks the engine, and before that a person where one has to say yes. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Input } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import { shownEvents, shownSession, shownStatus, type Words } from './shown.ts'
import { inputOf, type ToolShape } from './tools.ts'
import type { Call, McpDeps } from './types.ts'

export type Answer = Readonly<Record<string, unknown>>
/** @throws OnwardError `bad-input`, and as the control API refuses it */
export async function carryOut(deps: McpDeps, tool: ToolShape, given: unknown, call: Call): Promise<Answer> {
  const read = inputOf(tool).safeParse(given ?? {})
  if (!read.success)
    throw new OnwardError(
      'bad-input',
      read.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; '),
      { status: 400 },
    )
  if (tool.asks === 'goal') return armGoal(deps, read.data as Input<'askForGoal'>, call)
  if (tool.asks === 'dialog') return answerDialog(deps, read.data as Input<'answerDialog'>, call)
  const input = tool.named ? (read.data as Record<string, unknown>)[tool.named.name] : read.data
  return answerOf(deps, tool, input)
}

async function answerOf({ ask, ...deps }: McpDeps, { operation }: ToolShape, input: unknown): Promise<Answer> {
  switch (operation) {
    case 'status':
      return shownStatus(await ask('status', undefined), await deps.isOwn())
    case 'sessions': {
      const sessions = await ask('sessions', undefined)
      const words = await wordsOf({ ask, ...deps })
      return { sessions: sessions.filter(({ archived }) => !archived).map((view) => shownSession(view, words)) }
    }
    case 'timeline': {
      const { session } = input as Input<'timeline'>
      const words = await wordsOf({ ask, ...deps })
      const now = session === null ? {} : { session: shownSession(await ask('session', session), words) }
      return { ...now, events: shownEvents(await ask('timeline', input), words) }
    }
    default: {
      const answer: unknown = await ask(operation, input)
      return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
        ? { ...answer }
        : { answer: answer ?? null }
    }
  }
}

/** In the language that the engine speaks. */
export async function wordsOf({ ask, sentencesOf, now }: McpDeps): Promise<Words> {
  const { language } = await ask('status', undefined)
  return { sentences: await sentencesOf(language), now: now() }
}

async function armGoal(deps: McpDeps, goal: Input<'askForGoal'>, call: Call): Promise<Answer> {
  // also the check that this program may ask for it
  const { id, name } = await deps.ask('session', goal.session)
  const said = await askPerson(call, `Set this goal for ${name}? ${howLong(goal)}\n\n${goal.text}`, 'Set the goal')
  if (said === 'no') throw saidNo()
  if (said === 'yes') {
    const view = await deps.askAsPerson('setStopMessage', { ...goal, session: id })
    return { armed: true, ...shownSession(view, await wordsOf(deps)) }
  }
  await deps.ask('askForGoal', { ...goal, session: id })
  return {
    armed: false,
    says:
      `A person has to say yes first. The goal waits in the dashboard, in the session ${name}, ` +
      'and in a terminal: onward markers apply. It does nothing until then.',
  }
}

const howLong = ({ rounds = null, review }: Input<'askForGoal'>): string =>
  `${review ? 'A reviewer decides' : 'The text is sent as it is'}, ` +
  `${rounds === null ? 'without a number of rounds' : `for at most ${rounds} rounds`}.`

async function answerDialog(deps: McpDeps, input: Input<'answerDialog'>, call: Call): Promise<Answer> {
  const { name } = await deps.ask('session', input.terminalId)
  const { question, about, choice } = input
  const said = await askPerson(
    call,
    [`${name} asks:`, question, about, `Answer: ${choice}`].filter((line) => line !== null).join('\n\n'),
    `Press “${choice}”`,
  )
  if (said === 'no') throw saidNo()
  if (said === 'not-asked')
    throw new OnwardError(
      'needs-person',
      `Only a person may answer a dialog, and this client can’t ask one. They do it in the dashboard, where ${name} ` +
        'needs them, or in its terminal.',
      { status: 403 },
    )
  await deps.askAsPerson('answerDialog', input)
  return { pressed: choice }
}

/** A person's yes, asked for through the client that a program runs in. */
type PersonSaid = 'yes' | 'no' | 'not-asked'

/** A person may be away for a while. */
const WITHIN_MS = 10 * 60_000

/** Nothing is set before a person chooses: a client that accepts by itself has not said yes. */
async function askPerson({ server, signal, requestId }: Call, message: string, what: string): Promise<PersonSaid> {
  const able = server.getClientCapabilities()?.elicitation
  // one that names no way can do forms (2025-06-18)
  if (!able || (able.url && !able.form)) return 'not-asked'
  const asked = {
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: { yes: { type: 'boolean' as const, title: what, description: 'Only a person may say so.' } },
      required: ['yes'],
    },
  }
  const { action, content } = await server
    .elicitInput(asked, { timeout: WITHIN_MS, signal, relatedRequestId: requestId })
    .catch((error: unknown) => {
      // accepted, and nothing was chosen
      if (error instanceof McpError && error.code === ErrorCode.InvalidParams)
        return { action: 'decline' as const, content: undefined }
      throw error
    })
  return action === 'accept' && content?.['yes'] === true ? 'yes' : 'no'
}

const saidNo = (): OnwardError =>
  new OnwardError('person-said-no', 'The person did not say yes, so nothing was done. Do not ask again by yourself.', {
    status: 403,
  })
