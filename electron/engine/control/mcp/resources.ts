/** What can be read without a tool: status, sessions, what happened in one, the report. */
import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import { OnwardError } from '../../base/errors.ts'
import { wordsOf, type Answer } from './carry-out.ts'
import { shownEvents, shownSession, shownStatus } from './shown.ts'
import type { McpDeps } from './types.ts'

const mimeType = 'application/json'
const fixed = [
  { uri: 'onward://status', name: 'status', title: 'What Onward does right now', mimeType },
  { uri: 'onward://sessions', name: 'sessions', title: 'Every session', mimeType },
  { uri: 'onward://report', name: 'report', title: 'What happened since 18:00 of the day before', mimeType },
] as const

export const templates: readonly ResourceTemplate[] = [
  { uriTemplate: 'onward://sessions/{id}', name: 'session', title: 'One session', mimeType },
  { uriTemplate: 'onward://sessions/{id}/timeline', name: 'timeline', title: 'What happened in it', mimeType },
]

export async function listResources({ ask }: McpDeps): Promise<Resource[]> {
  const sessions = await ask('sessions', undefined)
  return [
    ...fixed,
    ...sessions
      .filter(({ archived }) => !archived)
      .map(({ id, name, cwd }) => ({
        uri: `onward://sessions/${encodeURIComponent(id)}`,
        name,
        ...(cwd === null ? {} : { description: cwd }),
        mimeType,
      })),
  ]
}

const ofSession = /^onward:\/\/sessions\/([^/]+)(\/timeline)?$/

/** @throws OnwardError `resource-unknown`, and as the control API refuses it */
export async function readResource(deps: McpDeps, uri: string): Promise<Answer> {
  const { ask } = deps
  if (uri === 'onward://status') return shownStatus(await ask('status', undefined), await deps.isOwn())
  if (uri === 'onward://report') return { ...(await ask('report', null)) }
  if (uri === 'onward://sessions') {
    const words = await wordsOf(deps)
    return { sessions: (await ask('sessions', undefined)).map((view) => shownSession(view, words)) }
  }
  const [, id, timeline] = ofSession.exec(uri) ?? []
  const session = id === undefined || !URL.canParse(uri) ? null : decoded(id)
  if (session === null)
    throw new OnwardError('resource-unknown', `Onward has nothing at ${uri.slice(0, 200)}.`, { status: 404 })
  const words = await wordsOf(deps)
  return timeline === undefined
    ? shownSession(await ask('session', session), words)
    : { events: shownEvents(await ask('timeline', { session }), words) }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
