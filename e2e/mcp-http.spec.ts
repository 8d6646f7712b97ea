/** MCP over HTTP at the gateway's `/mcp`: its keys, its callers, and the protocol's own conformance tests. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { installAgents } from './support/agents.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { connectMcp, type McpProgram, type PersonAt } from './support/mcp-client.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, type TestTmux } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

describe('MCP over HTTP', unless(notOnLinux), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  let key: string
  const programs: McpProgram[] = []
  const headersOf = (bearer: string | null, more: Record<string, string> = {}) => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...more,
  })
  const post = (bearer: string | null, body: unknown = initialize, more: Record<string, string> = {}) =>
    fetch(`${engine.baseUrl}/mcp`, {
      method: 'POST',
      headers: headersOf(bearer, more),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const connect = async (bearer: string, person: PersonAt = null) => {
    const requestInit = { headers: { authorization: `Bearer ${bearer}` } }
    const transport = new StreamableHTTPClientTransport(new URL(`${engine.baseUrl}/mcp`), { requestInit })
    const program = await connectMcp(transport, person)
    programs.push(program)
    return program
  }

  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    const plan = mockProvider(mock)
    engine = await startEngine({ config: { stopMessage: { settleMs: 100 }, providers: { plan } } })
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'one' })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    expect((await post(null)).status).toBe(404)
    const { code, out, err } = await onward(['mcp', 'key', 'test', '--json', '--home', engine.home])
    expect([code, err]).toEqual([0, ''])
    const made = JSON.parse(out) as { key: string; url: string }
    expect(made.url).toBe(`${engine.baseUrl}/mcp`)
    key = made.key
  })
  afterAll(async () => {
    for (const program of programs) await program.dispose()
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
    removeHomes()
  })

  it('is refused without its key, and from a page of elsewhere', async () => {
    for (const bearer of [null, 'wrong', `${key}x`]) {
      const { status, headers } = await post(bearer)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
    expect((await post(key, initialize, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(key, '{')).status).toBe(400)
    expect((await post(key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400)
    expect((await post(key, initialize, { 'mcp-session-id': 'none' })).status).toBe(404)
    // it opens nothing else, and the hash alone is kept
    expect(readFileSync(join(engine.home, 'config.json'), 'utf8')).not.toContain(key)
  })

  it('answers tools, and asks a person in the stream of the call', async () => {
    const { call, asked } = await connect(key, () => ({ action: 'accept', content: { yes: true } }))
    expect((await call('sessions')).facts.sessions).toMatchObject([{ id: agent.session }])
    const armed = await call('arm_goal', { session: agent.session, text: 'all green', rounds: 1, review: false })
    expect([armed.facts.armed, asked.length]).toEqual([true, 1])
    await engine.control.api.clearStopMessage.mutate(agent.session)
  })

  it('knows a session by the key that began it', async () => {
    const environ = readFileSync(`/proc/${agent.pid}/environ`, 'utf8').split('\0')
    const own = environ.find((line) => line.startsWith('ONWARD_KEY='))?.slice('ONWARD_KEY='.length) ?? ''
    const begun = await post(key)
    const id = begun.headers.get('mcp-session-id') ?? ''
    await begun.text()
    expect(id).not.toBe('')
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    expect((await post(own, list, { 'mcp-session-id': id })).status).toBe(404)
    expect((await post(key, list, { 'mcp-session-id': id })).status).toBe(200)

    // a terminal's key is of its session alone
    const other = await engine.control.api.openTerminal.mutate({ client: 'other', args: ['cat'], name: 'other' })
    const within = await connect(own)
    expect((await within.call('why', { session: other.id })).text).toMatch(/^own-session-only: /)
    expect((await within.call('sessions')).facts.sessions).toMatchObject([{ id: agent.session }])
    await engine.control.api.closeTerminal.mutate(other.id)
  })

  it('sees one session from within a terminal, whatever its key', async () => {
    // a process of that terminal: the system shows it
    const script = `
      const call = async (id, body) => (await fetch('${engine.baseUrl}/mcp', {
        method: 'POST', body: JSON.stringify(body),
        headers: { ...${JSON.stringify(headersOf(key))}, ...(id && { 'mcp-session-id': id }) } }))
      const begun = await call(null, ${JSON.stringify(initialize)})
      await begun.text()
      const id = begun.headers.get('mcp-session-id')
      const params = { name: 'why', arguments: { session: 'elsewhere' } }
      const text = await (await call(id, { jsonrpc: '2.0', id: 2, method: 'tools/call', params })).text()
      require('node:fs').writeFileSync(process.argv[2], text)`
    const folder = mkdtempSync(join(tmpdir(), 'onward-mcp-'))
    const file = join(folder, 'ask.cjs')
    writeFileSync(file, `(async () => {${script}\n})()`)
    const answer = join(folder, 'answer.txt')
    const args = [process.execPath, file, answer]
    await engine.control.api.openTerminal.mutate({ client: 'other', args, name: 'asks' })
    const text = await waitFor('its answer', () => {
      try {
        return readFileSync(answer, 'utf8')
      } catch {
        return undefined
      }
    })
    expect(text).toContain('own-session-only')
    rmSync(folder, { recursive: true })
  })

  const newerNode = process.arch === 'x64' ? null : 'the newer Node is here for x64 only'
  it('passes the conformance tests that call nothing of the authors’ test server', unless(newerNode), async () => {
    const relay = await startRelay(engine.port, key)
    const { port } = relay.address() as AddressInfo
    const folder = mkdtempSync(join(tmpdir(), 'onward-conformance-'))
    try {
      const run = await conformance(`http://localhost:${port}/mcp`, folder)
      expect(run, run.out).toMatchObject({ code: 0 })
      const passed = [...run.out.matchAll(/^✓ (\S+): [1-9]/gm)].map(([, name]) => name)
      expect(passed).toEqual([
        'server-initialize',
        'ping',
        'tools-list',
        'server-sse-multiple-streams',
        'resources-list',
        'dns-rebinding-protection',
      ])
    } finally {
      relay.close()
      relay.closeAllConnections()
      rmSync(folder, { recursive: true })
    }
  })

  it('is closed again when its last key is gone, for a session that goes on as well', async () => {
    const { call } = await connect(key)
    expect((await onward(['mcp', 'forget', 'test', '--home', engine.home])).code).toBe(0)
    await expect(call('status')).rejects.toThrow('MCP over HTTP is closed here')
    expect((await post(key)).status).toBe(404)
  })
})

/** The conformance program sends no key of its own. */
async function startRelay(port: number, key: string): Promise<Server> {
  const relay = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const up = request(
      { port, method, path: url, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    up.on('error', () => outgoing.destroy())
    outgoing.on('close', () => up.destroy())
    incoming.pipe(up)
  })
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening))
  return relay
}

/**
 * Scenarios that fail; the run tells of one that passes by now. They call tools, resources and prompts of the test
 * server of the protocol's authors, or ask for logging, completion and subscriptions, which Onward does not claim.
 */
const ofTestServer = [
  'logging-set-level',
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'server-sse-polling',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]

/** It needs a newer Node than Onward does. */
function conformance(url: string, folder: string): Promise<{ code: number; out: string }> {
  const baseline = join(folder, 'baseline.yml')
  writeFileSync(baseline, `server:\n${ofTestServer.map((name) => `  - ${name}\n`).join('')}`)
  const program = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const args = [program, 'server', '--url', url, '--suite', 'all', '--expected-failures', baseline, '-o', folder]
  return new Promise((done) => {
    execFile(
      installAgents().node24 ?? process.execPath,
      args,
      { timeout: 100_000, maxBuffer: 8 << 20 },
      (error, stdout, stderr) => done({ code: error ? Number(error.code ?? -1) : 0, out: stdout + stderr }),
    )
  })
}
