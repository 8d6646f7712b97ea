/** The MCP server over the control API; whoever makes it connects it to stdio or HTTP. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { carryOut, type Answer, wordsOf } from './carry-out.ts'
import { shownEvents, shownSession, shownStatus } from './shown.ts'
import { schemaOf, tools } from './tools.ts'
import type { McpDeps } from './types.ts'

const instructions =
  'Onward keeps coding agents going. Look with sessions and why; leave a message with say; set alarms. ' +
  'Goals and dialogs need a person’s yes. From within a session of Onward’s you see that session only.'

export function createMcpServer(deps: McpDeps): Server {
  const server = new Server(
    { name: 'onward', title: 'Onward', version: deps.version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, tool]) => ({
      name,
      title: tool.title,
      description: tool.description,
      inputSchema: schemaOf(tool),
      annotations: { title: tool.title, ...tool.annotations },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Onward has no tool ${params.name.slice(0, 100)}.`)
    try {
      return answered(await carryOut(deps, tool, params.arguments, { server, signal, requestId }))
    } catch (error) {
      return failed(error)
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    refusing(async () => ({ resources: await listResources(deps) })),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...templates] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    refusing(async () => ({
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await readResource(deps, uri), null, 1) }],
    })),
  )
  return server
}

const answered = (answer: Answer): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer, null, 1) }],
  structuredContent: answer,
})

/** A model reads it, and may do better. */
function failed(error: unknown): CallToolResult {
  const { code, message } = factsOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message } },
  }
}

/** Reading has no answer that says it failed, other than the protocol's. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = factsOf(error)
    const isUnknown = /^(resource|session|terminal)-unknown$/.test(code)
    throw new McpError(isUnknown ? RESOURCE_NOT_FOUND : ErrorCode.InternalError, message, { code })
  }
}

/** of the protocol's own, beside those of JSON-RPC (MCP 2025-06-18, resources) */
const RESOURCE_NOT_FOUND = -32002

const factsOf = (error: unknown): { code: string; message: string } =>
  OnwardError.isInstance(error)
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: messageOf(error) }

/** What can be read without a tool: status, sessions, what happened in one, the report. */
const mimeType = 'application/json'
const fixed = [
  { uri: 'onward://status', name: 'status', title: 'What Onward does right now', mimeType },
  { uri: 'onward://sessions', name: 'sessions', title: 'Every session', mimeType },
  { uri: 'onward://report', name: 'report', title: 'What happened since 18:00 of the day before', mimeType },
] as const

const templates: readonly ResourceTemplate[] = [
  { uriTemplate: 'onward://sessions/{id}', name: 'session', title: 'One session', mimeType },
  { uriTemplate: 'onward://sessions/{id}/timeline', name: 'timeline', title: 'What happened in it', mimeType },
]

async function listResources({ ask }: McpDeps): Promise<Resource[]> {
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
async function readResource(deps: McpDeps, uri: string): Promise<Answer> {
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
