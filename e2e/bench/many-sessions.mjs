// A home in which an engine has worked for long: 10 000 conversations and the records that came with them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const id = (i) =>
  `${((i * 2654435761) >>> 0).toString(16).padStart(8, '0')}-7b1e-4c2a-9d3f-${String(i).padStart(12, '0')}`
const at = (i) => 1_760_000_000_000 + i * 60_000

function session(i) {
  return {
    id: id(i),
    name: '',
    pinned: i % 97 === 0,
    paused: false,
    routing: { allow: null, prefer: null, disabled: [] },
    client: i % 2 ? 'claude' : 'codex',
    entry: i % 2 ? 'messages' : 'responses',
    cwd: `/home/me/projects/tool-${i % 40}`,
    model: 'mock-model',
    route: { provider: 'mock', model: 'mock-model' },
    scope: `tmux:work-${i}`,
    terminalId: ((i * 40503) >>> 0).toString(16).padStart(8, '0'),
    daemonId: null,
    turns: i % 60,
    usage: { input: 120_000 + i, cachedInput: 90_000, output: 4_000, reasoning: 900 },
    costUsd: 0.4,
    startedAt: at(i),
    lastActivityAt: at(i) + 30_000,
  }
}
const where = (i) => ({ sessionId: id(i), scope: `tmux:work-${i}`, requestId: id(i + 1) })
const event = (i) => ({
  id: id(i),
  seq: i + 1,
  at: at(i),
  ...where(i % 10_000),
  body: {
    type: 'turn-ended',
    turn: i % 60,
    kind: 'turn',
    finish: 'stop',
    status: 200,
    usage: { input: 1, cachedInput: 0, output: 1, reasoning: 0 },
    ttfbMs: 400,
    durationMs: 9_000,
    route: { provider: 'mock', model: 'mock-model' },
    tools: ['read_file'],
    clientLeft: false,
  },
})
const record = (i) => ({
  ...where(i % 10_000),
  at: at(i),
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: 'mock-model',
  route: { provider: 'mock', model: 'mock-model' },
  status: 200,
  finish: 'stop',
  usage: { input: 1, cachedInput: 0, output: 1, reasoning: 0 },
  costUsd: 0.01,
  ttfbMs: 400,
  durationMs: 9_000,
  bytesIn: 200_000,
  bytesOut: 9_000,
  error: null,
})

const jsonl = (path, count, make) =>
  writeFileSync(path, Array.from({ length: count }, (_, i) => `${JSON.stringify(make(i))}\n`).join(''), { mode: 0o600 })

/** Fills `home`. @returns the environment with which an engine finds its sessions whatever its port */
export function fillHome(home, sessions = 10_000) {
  const root = join(home, 'sessions/long')
  mkdirSync(root, { recursive: true })
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({
      providers: {
        mock: {
          type: 'openai-chat',
          baseUrl: 'http://127.0.0.1:9/v1',
          keys: [{ alias: 'main', value: 'k' }],
          models: { 'mock-model': {} },
        },
      },
      routes: { default: ['mock.mock-model'] },
    }),
  )
  for (let i = 0; i < sessions; i++)
    writeFileSync(join(root, `session-${id(i)}.json`), JSON.stringify({ version: 1, state: session(i) }), {
      mode: 0o600,
    })
  jsonl(join(root, 'timeline.jsonl'), 9_000, event)
  jsonl(join(root, 'turns.jsonl'), 8_000, record)
  return { ROUTECODEX_SESSION_DIR: root }
}
