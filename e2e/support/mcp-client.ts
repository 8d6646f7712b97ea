/** A program that speaks to Onward over MCP, with the SDK's own client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { cleanEnv, onwardBin } from './engine-process.ts'

export interface McpAnswer {
  failed: boolean
  /** as a model reads it */
  text: string
  facts: Record<string, unknown>
}

export interface McpProgram {
  client: Client
  call(tool: string, input?: Record<string, unknown>): Promise<McpAnswer>
  /** what its person was asked */
  asked: readonly string[]
  /** what the server said beside the protocol */
  said(): string
  dispose(): Promise<void>
}

/** What the person at the client does; null: the client can't ask one. */
export type PersonAt = ((request: ElicitRequest['params']) => ElicitResult) | null

export async function connectMcp(transport: Transport, person: PersonAt, said = () => ''): Promise<McpProgram> {
  const asked: string[] = []
  const client = new Client({ name: 'test', version: '1' }, { capabilities: person ? { elicitation: {} } : {} })
  if (person)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message)
      return person(params)
    })
  await client.connect(transport)
  return {
    client,
    asked,
    said,
    async call(name, input = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input })
      const [first] = content as readonly { text: string }[]
      return {
        failed: isError === true,
        text: first?.text ?? '',
        facts: (structuredContent ?? {}) as Record<string, unknown>,
      }
    },
    dispose: () => client.close(),
  }
}

/** `onward mcp` as a client starts it. */
export async function startMcp(
  home: string,
  { env = {}, person = null }: { env?: Readonly<Record<string, string>>; person?: PersonAt } = {},
): Promise<McpProgram> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [onwardBin, 'mcp', '--home', home],
    env: { ...cleanEnv(), ...env },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (data: Buffer) => {
    said += data.toString()
  })
  return connectMcp(transport, person, () => said)
}
