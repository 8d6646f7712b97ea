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
} from '@modelcontextprotocol/sdk/types.js'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { carryOut, type Answer } from './carry-out.ts'
import { listResources, readResource, templates } from './resources.ts'
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
