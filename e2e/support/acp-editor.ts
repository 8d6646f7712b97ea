/** An editor that speaks ACP, with the SDK's own client, and the real agent that `onward acp` starts for it. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  client,
  methods,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { installAgents } from './agents.ts'
import { cleanEnv, onwardBin, projectsOf, type RunningEngine } from './engine-process.ts'
import { evidence } from './evidence/evidence.ts'
import type { RealAgent } from './real/types.ts'

export interface AcpAgentWords {
  agent: RealAgent
  words: readonly string[]
}

/** What the editor shows: who said what, in order. */
export interface Shown {
  who: 'user' | 'agent'
  text: string
}

export interface AcpEditor {
  pid: number
  sessionId: string
  cwd: string
  shown: readonly Shown[]
  /** an unanswered question of the agent's */
  asks(): RequestPermissionRequest | null
  allow(): void
  /** @param session another one than the first */
  prompt(text: string, session?: string): Promise<PromptResponse>
  /** opens another conversation beside it */
  another(): Promise<string>
  cancel(): Promise<void>
  /** what agent and bridge said beside the protocol */
  said(): string
  kill(): void
  /** closes the connection. @returns how the bridge ended */
  close(): Promise<number | null>
}

/** @param load the conversation to go on with */
export async function startAcpEditor(
  { home, port }: RunningEngine,
  { agent, words }: AcpAgentWords,
  load?: string,
): Promise<AcpEditor> {
  const [cwd, agentHome] = [join(projectsOf(home), 'work'), join(home, `${agent.client}-home`)]
  for (const path of [cwd, agentHome]) mkdirSync(path, { recursive: true })
  const child = spawn(process.execPath, [onwardBin, 'acp', '--home', home, '--port', String(port), '--', ...words], {
    cwd,
    env: {
      ...cleanEnv(),
      ...agent.seedHome(agentHome, [cwd]),
      PATH: `${installAgents().path}:${cleanEnv().PATH ?? ''}`,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  const shown: Shown[] = []
  const show = (who: Shown['who'], text: string) => {
    const last = shown.at(-1)
    if (last?.who === who && who === 'agent') last.text += text
    else shown.push({ who, text })
  }
  const forget = evidence(() => ({ 'editor-shown.txt': JSON.stringify(shown, null, 1), 'editor-said.txt': said }))
  let asking: { request: RequestPermissionRequest; answer(response: RequestPermissionResponse): void } | null = null
  const connection = client()
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'user_message_chunk' && update.content.type === 'text')
        show('user', update.content.text)
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        show('agent', update.content.text)
    })
    .onRequest(
      methods.client.session.requestPermission,
      ({ params: request }) =>
        new Promise((answer) => {
          asking = { request, answer }
        }),
    )
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    )
  const { agent: remote } = connection
  const started = (async () => {
    await remote.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    if (load === undefined) return remote.request(methods.agent.session.new, { cwd, mcpServers: [] })
    await remote.request(methods.agent.session.load, { sessionId: load, cwd, mcpServers: [] })
    return { sessionId: load }
  })()
  const late = gone.then((code) => {
    throw new Error(`it ended with ${code} before it had a session: ${said}`)
  })
  const { sessionId } = await Promise.race([started, late])
  return {
    pid: child.pid ?? 0,
    sessionId,
    cwd,
    shown,
    said: () => said,
    asks: () => asking?.request ?? null,
    allow() {
      const optionId = asking?.request.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? ''
      asking?.answer({ outcome: { outcome: 'selected', optionId } })
      asking = null
    },
    prompt: (text, session = sessionId) =>
      remote.request(methods.agent.session.prompt, { sessionId: session, prompt: [{ type: 'text', text }] }),
    another: async () => (await remote.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    cancel: () => remote.notify(methods.agent.session.cancel, { sessionId }),
    kill: () => void child.kill('SIGKILL'),
    async close() {
      forget()
      connection.close()
      child.stdin.destroy()
      const code = await gone
      await waitFor('its output to end', () => child.stdout.readableEnded || child.stdout.destroyed)
      return code
    },
  }
}
