/** Engines at a real NATS hub: asked, lost, away, and held to what the hub lets them do. */
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { FleetView } from '../shared/fleet.ts'
import type { MachineView } from '../shared/machines.ts'
import { readCredentials } from '../electron/engine/fleet/credentials.ts'
import { openHub } from '../electron/engine/fleet/hub.ts'
import { selfSigned } from '../electron/engine/base/network/self-signed.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { freePort, noNats, operatorMode, permissions, startLine, startNats, type NatsServer } from './support/nats.ts'
import { atRest } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

const key = 'local-test-key'
const hour = 3_600_000
const conversation = '0a1b2c3d-1111-4222-8333-944455556666'
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(removeHomes)

async function hubWith(...given: Parameters<typeof startNats>): Promise<NatsServer> {
  const hub = await startNats(...given)
  ends.push(() => hub.dispose())
  return hub
}
const clientOf = async (
  ...[hub, user]: [NatsServer, Parameters<NatsServer['client']>[0]?]
): Promise<NatsConnection> => {
  const client = await hub.client(user)
  ends.push(() => client.close())
  return client
}
interface Running {
  engine: EngineProcess
  run(...words: readonly string[]): ReturnType<typeof onward>
  json(...words: readonly string[]): Promise<unknown>
  refusal(...words: readonly string[]): Promise<unknown>
  kill(): Promise<void>
  restart(): Promise<void>
}
async function engineWith(fleet: Record<string, unknown>): Promise<Running> {
  let engine = await startEngine({ home: newHome(), config: { fleet, server: { keys: [key] } } })
  ends.push(async () => {
    await engine.stop()
    endTerminalHosts(engine.home)
  })
  const run = (...words: readonly string[]) => onward(['--home', engine.home, ...words])
  return {
    get engine() {
      return engine
    },
    run,
    async json(...words) {
      const ran = await run('--json', ...words)
      expect(ran).toMatchObject({ code: 0, err: '' })
      return JSON.parse(ran.out)
    },
    async refusal(...words) {
      const ran = await run('--json', ...words)
      expect(ran.out).toBe('')
      return (JSON.parse(ran.err) as { error: unknown }).error
    },
    kill: () => engine.kill(),
    async restart() {
      engine = await engine.restart()
    },
  }
}
const connected = async ({ engine }: Running): Promise<FleetView> =>
  waitFor('the fleet', async () => {
    const view = await engine.control.api.fleet.query()
    return view?.state.kind === 'there' && view
  })
/** Two engines of the fleet at a hub, both connected. They start side by side, which takes most of a test's time. */
const pairAt = ({ url }: NatsServer, one: object = {}, two: object = {}): Promise<[Running, Running]> =>
  Promise.all([joinedAs({ url, engine: 'one', ...one }), joinedAs({ url, engine: 'two', ...two })])
async function joinedAs(fleet: Record<string, unknown>): Promise<Running> {
  const running = await engineWith(fleet)
  await connected(running)
  return running
}
const away = ({ engine }: Running): Promise<FleetView> =>
  waitFor('the hub to be away', async () => {
    const view = await engine.control.api.fleet.query()
    return view?.state.kind === 'away' && view
  })
/** What `--on two` asks, without the start of a program. */
const askTwo = ({ engine }: Running, operation: string, input?: unknown) =>
  engine.control.api.askFleet.mutate({ engine: 'two', operation, input })
/** The engine of this name, as another one sees it. */
const seen = (from: Running, name: string, state: 'there' | 'away'): Promise<MachineView> =>
  waitFor(`${name} to be ${state}`, async () => {
    const views = await from.engine.control.api.machines.query()
    return views.find((one) => one.name === name && one.state.kind === state)
  })
/** A turn of a client there, which makes a session. The engine answers it itself: it has no provider. */
async function turn({ engine }: Running, text = 'hello'): Promise<void> {
  const answer = await fetch(`${engine.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-claude-code-session-id': conversation },
    body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: text }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
/** Opens a terminal whose queue takes texts; nothing there is an agent, so nothing is typed. */
const openShell = async ({ engine }: Running): Promise<string> =>
  (
    await engine.control.api.openTerminal.mutate({
      client: 'other',
      name: 'shell',
      args: ['cat'],
      cwd: engine.home,
    })
  ).id
const queueOf = async ({ engine }: Running, session: string): Promise<readonly string[]> =>
  (await engine.control.api.session.query(session)).queue.map(({ text }) => text)
/** Everything that the hub keeps of a fleet, as text. */
async function keptAt(client: NatsConnection, fleet: string): Promise<string> {
  const manager = await jetstreamManager(client)
  const kept: string[] = []
  for (const name of [`KV_onward-${fleet}`, `onward-${fleet}-events`, `onward-${fleet}-orders`]) {
    const { state } = await manager.streams.info(name)
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(name, { seq }).catch(() => null)
      if (message) kept.push(`${message.subject} ${message.string()}`)
    }
  }
  return kept.join('\n')
}

describe('engines of a fleet', unless(noNats), () => {
  it('join over the command line, find each other, and answer as over --on', async () => {
    const hub = await hubWith()
    const [a, b] = await Promise.all([engineWith({}), engineWith({})])
    expect(await a.json('fleet', 'status')).toBeNull()
    expect(await a.refusal('fleet', 'list')).toMatchObject({ code: 'fleet-none' })
    const joins = (
      [
        [a, 'one'],
        [b, 'two'],
      ] as const
    ).map(async ([engine, name]) =>
      expect(await engine.json('fleet', 'join', hub.url, '--as', name, '--name', 'lab')).toMatchObject({
        url: hub.url,
        name: 'lab',
        engine: name,
        state: { kind: 'there' },
        texts: false,
      }),
    )
    await Promise.all(joins)
    const shell = await openShell(b)
    await turn(b)
    expect(await a.json('--on', 'two', 'status')).toMatchObject({ running: true, pid: b.engine.pid })
    expect(await a.json('--on', 'two', 'say', 'shell', 'run the tests')).toMatchObject({ state: 'queued', text: '' })
    expect(await queueOf(b, shell)).toEqual(['run the tests'])
    await a.json('--on', 'two', 'alarm', 'add', conversation, 'in 20 min', 'check CI')
    expect(await b.engine.control.api.alarms.query()).toMatchObject({ alarms: [{ task: 'check CI', setBy: 'user' }] })
    // refused there, with the code it has there
    const [unknown, forbidden, nobody] = await Promise.all([
      a.refusal('--on', 'two', 'say', 'nobody', 'hi'),
      a.refusal('--on', 'two', 'config', 'undo'),
      a.refusal('--on', 'three', 'status'),
    ])
    expect(unknown).toMatchObject({ code: 'session-unknown', exit: 5 })
    expect(forbidden).toMatchObject({ code: 'fleet-may-not', exit: 4 })
    expect(nobody).toMatchObject({ code: 'fleet-engine-unknown', exit: 5 })
    await waitFor('its session', async () => (await seen(a, 'two', 'there')).sessions.length === 1)
    expect(await a.json('sessions', '--everywhere')).toMatchObject([{ id: conversation, machine: 'two' }])
    expect((await a.run('fleet', 'list')).out).toMatch(/^● two {2}\S+ {2}1 session\n$/)
    await b.json('fleet', 'leave')
    expect(await a.json('fleet', 'list')).toEqual([])
  })

  it('send no text of a conversation anywhere unless the engine allows it', async () => {
    const hub = await hubWith()
    const secret = 'a word of the conversation'
    const [a, b] = await pairAt(hub)
    await turn(b, secret)
    const alarm = { session: conversation, dueAt: Date.now() + hour, task: secret }
    await b.engine.control.api.addAlarm.mutate(alarm)
    await seen(a, 'two', 'there')
    expect(await askTwo(a, 'sessions')).toMatchObject({ answer: [{ id: conversation }] })
    const said = [['sessions'], ['alarm', 'list'], ['turns'], ['report']].map((words) =>
      a.run('--on', 'two', '--json', ...words),
    )
    for (const { code, out } of await Promise.all(said)) {
      expect(code).toBe(0)
      expect(out).not.toContain(secret)
    }
    const client = await clientOf(hub)
    const alarmsKept = () =>
      waitFor('the session with its alarm', async () => {
        const kept = await keptAt(client, 'onward')
        return kept.includes('nextAlarm') && kept.includes('alarm_set') && kept
      })
    expect(await alarmsKept()).not.toContain(secret)
    writeFileSync(
      join(b.engine.home, 'config.json'),
      JSON.stringify({ fleet: { url: hub.url, engine: 'two', texts: true }, server: { keys: [key] } }),
    )
    await waitFor('the text', async () => (await keptAt(client, 'onward')).includes(secret))
    expect((await a.run('--on', 'two', '--json', 'alarm', 'list')).out).toContain(secret)
  })

  it('find each other again after the hub was killed, with what it kept', async () => {
    const hub = await hubWith()
    const [a, b] = await pairAt(hub)
    await turn(b)
    await waitFor('its session', async () => (await seen(a, 'two', 'there')).sessions.length === 1)
    await hub.kill()
    expect((await away(a)).state).toMatchObject({ why: { code: 'fleet-hub-away' } })
    expect(JSON.stringify(await a.engine.control.api.doctor.query())).toContain('"fleet-away"')
    await away(b)
    // what was known is shown, and said to be old
    expect(await seen(a, 'two', 'away')).toMatchObject({
      state: { why: { code: 'fleet-hub-away' } },
      sessions: [{ id: conversation }],
    })
    expect(await a.refusal('--on', 'two', 'status')).toMatchObject({ code: 'fleet-hub-away', exit: 3 })
    await hub.start()
    await Promise.all([connected(a), connected(b)])
    expect(await seen(a, 'two', 'there')).toMatchObject({ sessions: [{ id: conversation }] })
    expect(await a.json('--on', 'two', 'status')).toMatchObject({ pid: b.engine.pid })
  })
})

/** An agent of an engine's that can be told something. */
async function agentOf({ engine }: Running, name: string): Promise<TurnAgent> {
  const agent = await startTurnAgent({ home: 'hosted', engine, tmux: startTmux(), name })
  ends.push(() => agent.end())
  return agent
}
const waiting = async (client: NatsConnection, fleet = 'onward'): Promise<number> =>
  (await (await jetstreamManager(client)).streams.info(`onward-${fleet}-orders`)).state.messages
/** All that waited was taken and acknowledged, and what it led to is over. */
async function delivered({ engine }: Running, agent: TurnAgent, client: NatsConnection, text: string): Promise<void> {
  await waitFor('the text', () => agent.submits().includes(text))
  await waitFor('the acknowledgement', async () => (await waiting(client)) === 0)
  await waitFor('the agent to be idle', () => agent.idle())
  await atRest(engine)
  expect(agent.submits().filter((one) => one === text)).toEqual([text])
}

describe('a message for an engine that is away', unless(noNats), () => {
  it('waits at the hub, and is typed once when it is back, however often it was sent', async () => {
    const hub = await hubWith()
    const [a, b] = await pairAt(hub)
    const agent = await agentOf(b, 'once')
    await b.kill()
    const text = 'look at the build'
    const input = { session: agent.terminalId, text, key: randomUUID() }
    const say = () => askTwo(a, 'say', input)
    for (let n = 0; n < 3; n++) expect(await say()).toMatchObject({ kind: 'waits' })
    expect(await a.json('--on', 'two', 'say', agent.terminalId, 'then the docs')).toMatchObject({
      waits: true,
      engine: 'two',
    })
    // times are read here, as nobody is there to do it
    expect((await a.run('--on', 'two', 'alarm', 'add', agent.session, 'in 2 h', 'go home')).out).toMatch(
      /^◐ two is away: the hub keeps this for it until 20\d\d-/,
    )
    expect(await a.refusal('--on', 'two', 'pause')).toMatchObject({ code: 'fleet-engine-away', exit: 3 })
    const client = await clientOf(hub)
    expect(await waiting(client)).toBe(3)
    await b.restart()
    await delivered(b, agent, client, text)
    await delivered(b, agent, client, 'then the docs')
    // another hour, in which the hub has forgotten that it had it
    const manager = await jetstreamManager(client)
    await manager.streams.update('onward-onward-orders', { duplicate_window: 100_000_000 })
    await waitFor('the hub to forget', async () => {
      await say()
      await b.kill()
      await say()
      return (await waiting(client)) === 1
    })
    await b.restart()
    await delivered(b, agent, client, text)
  })

  it('that is killed after it took it and before it said so is not told twice', async () => {
    const config = (acks: boolean) => (user: NatsServer['user']) =>
      `authorization { users: [
        { nkey: ${user('one').publicKey} }, { nkey: ${user('admin').publicKey} },
        { nkey: ${user('two').publicKey}, permissions: { publish: { deny: ${acks ? '[]' : '["$JS.ACK.>"]'} } } }
      ] }`
    const hub = await hubWith(config(false))
    const [a, b] = await pairAt(hub, { creds: hub.user('one').file }, { creds: hub.user('two').file })
    const agent = await agentOf(b, 'killed')
    await b.kill()
    await askTwo(a, 'say', { session: agent.terminalId, text: 'check it' })
    await b.restart()
    await waitFor('the text', () => agent.submits().includes('check it'))
    const client = await clientOf(hub, hub.user('admin'))
    expect(await waiting(client)).toBe(1)
    await b.kill()
    hub.reload(config(true)(hub.user))
    await b.restart()
    await delivered(b, agent, client, 'check it')
  })

  it('behind a leaf node that was cut comes to it once the line is whole', async () => {
    const leaves = await freePort()
    const line = await startLine(leaves)
    ends.push(() => line.dispose())
    // a leaf learns of further addresses of its hub, and would go around the line
    const hub = await hubWith(
      () => `leafnodes { host: 127.0.0.1, port: ${leaves}, advertise: "127.0.0.1:${line.port}" }`,
      { domain: 'hub' },
    )
    const leaf = await hubWith(
      () => `leafnodes { reconnect: 1, remotes: [{ url: "nats-leaf://127.0.0.1:${line.port}" }] }`,
      { jetstream: false },
    )
    const [a, b] = await pairAt(hub, {}, { url: leaf.url, domain: 'hub' })
    const agent = await agentOf(b, 'leaf')
    const status = () =>
      askTwo(a, 'status').then(
        () => 'answered',
        (error: { data?: { onwardCode?: string } }) => error.data?.onwardCode,
      )
    expect(await status()).toBe('answered')
    line.cut()
    await waitFor('the line to be known as cut', async () => (await status()) === 'fleet-engine-away')
    const input = { session: agent.terminalId, text: 'are you there' }
    expect(await askTwo(a, 'say', input)).toMatchObject({ kind: 'waits' })
    line.mend()
    await delivered(b, agent, await clientOf(hub), 'are you there')
    await waitFor('an answer', async () => (await status()) === 'answered')
  })
})

describe('rights in a fleet', unless(noNats), () => {
  const roles = { gpu: 'engine', eye: 'viewer', hand: 'operator' } as const
  const config = (user: NatsServer['user']) => `
    accounts { LAB { jetstream: enabled, users: [
      { nkey: ${user('admin').publicKey} }
      ${Object.entries(roles)
        .map(([name, role]) => `{ nkey: ${user(name).publicKey}, ${permissions('lab', name, role)} }`)
        .join('\n')}
    ] } }`
  /** One that may everything makes the streams, before others join. */
  const labHub = async (): Promise<NatsServer> => {
    const hub = await hubWith(config)
    const credentials = await readCredentials(hub.user('admin').file, process.platform)
    await (await openHub({ url: hub.url, name: 'lab', engine: 'admin', credentials })).close()
    return hub
  }
  const joined = (hub: NatsServer, name: keyof typeof roles) =>
    joinedAs({ url: hub.url, name: 'lab', engine: name, creds: hub.user(name).file })

  it('are the hub’s: NATS refuses a viewer who acts and an engine that looks, and an operator neither', async () => {
    const hub = await labHub()
    const [gpu, eye, hand] = await Promise.all([joined(hub, 'gpu'), joined(hub, 'eye'), joined(hub, 'hand')])
    const shell = await openShell(gpu)
    expect(await eye.json('--on', 'gpu', 'status')).toMatchObject({ pid: gpu.engine.pid })
    const listed = (await eye.json('fleet', 'list')) as MachineView[]
    expect(listed.map(({ name, state }) => [name, state.kind])).toEqual([
      ['gpu', 'there'],
      ['hand', 'there'],
    ])
    // so its dashboard turns the buttons off
    await waitFor('what the hub refuses it to be found out', async () => {
      const gpuThere = (await eye.engine.control.api.machines.query()).find(({ name }) => name === 'gpu')
      return gpuThere?.fleet?.refused?.join() === 'answer,say,arm'
    })
    const refused = await eye.refusal('--on', 'gpu', 'say', 'shell', 'hi')
    expect(refused).toMatchObject({ code: 'fleet-not-allowed', exit: 4 })
    expect(String((refused as { message: string }).message)).toContain('onward.lab.gpu.say.say')
    expect(await queueOf(gpu, shell)).toEqual([])
    await hand.json('--on', 'gpu', 'say', 'shell', 'hi')
    expect(await queueOf(gpu, shell)).toEqual(['hi'])
    expect(await gpu.refusal('fleet', 'list')).toMatchObject({ code: 'fleet-not-allowed' })
    expect(await gpu.refusal('--on', 'eye', 'status')).toMatchObject({ code: 'fleet-not-allowed' })
    // no more for one that is away: its queue is refused as well
    await gpu.kill()
    expect(await eye.refusal('--on', 'gpu', 'say', 'shell', 'hi')).toMatchObject({ code: 'fleet-not-allowed' })
    await hand.json('--on', 'gpu', 'say', 'shell', 'later')
    expect(await waiting(await clientOf(hub, hub.user('admin')), 'lab')).toBe(1)
  })

  it('need a login: one that is wrong, open to others, or in the address is refused, and shown nowhere', async () => {
    const hub = await labHub()
    const engine = await engineWith({})
    const join = (...words: readonly string[]) => engine.refusal('fleet', 'join', ...words)
    expect(await join(hub.url)).toMatchObject({ code: 'fleet-refused' })
    const stranger = hub.user('stranger')
    expect(await join(hub.url, '--creds', stranger.file)).toMatchObject({
      code: 'fleet-refused',
      message: expect.stringMatching(/refused the login: .*Authorization Violation.*--creds/i),
    })
    const { file, seed } = hub.user('gpu')
    chmodSync(file, 0o640)
    expect(await join(hub.url, '--creds', file)).toMatchObject({
      code: 'fleet-creds',
      message: expect.stringContaining(`others can read it; close it with \`chmod 600 ${file}\``),
    })
    chmodSync(file, 0o600)
    expect(await join(hub.url, '--creds', `${file}x`)).toMatchObject({ code: 'fleet-creds' })
    const withLogin = await engine.run('fleet', 'join', hub.url.replace('//', '//ada:hunter2@'))
    expect(withLogin.err).toContain('nats://[hidden]@127.0.0.1')
    expect(await engine.json('fleet', 'status')).toBeNull()
    await engine.json('fleet', 'join', hub.url, '--name', 'lab', '--as', 'gpu', '--creds', file)
    const home = engine.engine.home
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => `${home}/${name}`)
    const kept = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'utf8'))
    for (const text of [...kept, withLogin.out, withLogin.err, engine.engine.output()]) {
      expect(text).not.toContain('hunter2')
      expect(text).not.toContain(seed)
    }
  })
})

describe('a hub', unless(noNats), () => {
  it('with accounts of JWTs takes a file of credentials as `nsc` writes it', async () => {
    let creds = ''
    const hub = await hubWith((_, folder) => {
      const made = operatorMode(folder)
      creds = made.creds
      return made.config
    })
    const engine = await engineWith({})
    expect(await engine.refusal('fleet', 'join', hub.url)).toMatchObject({ code: 'fleet-refused' })
    expect(await engine.json('fleet', 'join', hub.url, '--creds', creds)).toMatchObject({ state: { kind: 'there' } })
  })

  it('with TLS is joined only where somebody vouches for it, and never without TLS that was asked for', async () => {
    const { cert, key: secret } = selfSigned('127.0.0.1', randomBytes(16), Date.now() - hour, Date.now() + hour)
    let ca = ''
    const hub = await hubWith((_, folder) => {
      ca = join(folder, 'cert.pem')
      writeFileSync(ca, cert)
      writeFileSync(join(folder, 'key.pem'), secret)
      return `tls { cert_file: "${ca}", key_file: "${join(folder, 'key.pem')}" }`
    })
    const engine = await engineWith({})
    const url = hub.url.replace('nats:', 'tls:')
    expect(await engine.refusal('fleet', 'join', url)).toMatchObject({
      code: 'fleet-hub-away',
      message: expect.stringMatching(/self-signed certificate/),
    })
    const plain = await hubWith()
    expect(await engine.refusal('fleet', 'join', plain.url.replace('nats:', 'tls:'))).toMatchObject({
      code: 'fleet-hub-away',
      message: expect.stringMatching(/tls/i),
    })
    expect(await engine.json('fleet', 'join', url, '--ca', ca)).toMatchObject({ state: { kind: 'there' } })
  })
})

describe('the policy of a fleet', unless(noNats), () => {
  it('holds where the config would widen it, while the hub is away, and after the fleet was left', async () => {
    const hub = await hubWith()
    const { engine, ...b } = await engineWith({ url: hub.url, engine: 'two' })
    const now = { ...b, engine }
    await connected(now)
    const client = await clientOf(hub)
    const bucket = await new Kvm(client).open('onward-onward')
    await bucket.put('policy', JSON.stringify({ organisation: 'Example Ltd', budgets: { rounds: 5 }, phone: false }))
    const held = (of: EngineProcess) =>
      waitFor('the policy', async () => (await of.control.api.status.query()).policy?.policies[0]?.budgets.rounds === 5)
    await held(engine)
    expect(await b.refusal('budgets', '--rounds', '50')).toMatchObject({ code: 'held-by-policy' })
    // one that is wrong changes nothing
    await bucket.put('policy', '{ "budgets": "none" }')
    await waitFor('the trouble', async () =>
      (await engine.control.api.timeline.query({ session: null })).some(
        ({ body }) => body.type === 'engine-problem' && body.code === 'fleet-policy-wrong',
      ),
    )
    await hub.kill()
    await engine.stop()
    const again = await engine.restart()
    ends.push(() => again.stop())
    await held(again)
    await b.json('fleet', 'leave')
    await held(again)
    const other = await hubWith()
    expect(await b.refusal('fleet', 'join', other.url)).toMatchObject({ code: 'fleet-policy-held', exit: 4 })
    await hub.start()
    await b.json('fleet', 'join', hub.url, '--as', 'two')
    const admin = await clientOf(hub)
    await (await new Kvm(admin).open('onward-onward')).delete('policy')
    await waitFor('the policy to go', async () => !(await again.control.api.status.query()).policy)
    await b.json('fleet', 'join', other.url)
  })
})

describe('the dashboard of a third engine', unless(firstOf(noNats, noBrowser)), () => {
  it('lists the sessions of the others; a message for one that was killed waits, and is typed once', async () => {
    const hub = await hubWith()
    const [[one, two], desk] = await Promise.all([
      pairAt(hub, { rights: ['look'] }),
      joinedAs({ url: hub.url, engine: 'desk' }),
    ])
    const [agent] = await Promise.all([agentOf(two, 'listed'), turn(one)])
    await agent.say(two.engine, 'begin')
    const { page, complaints, close } = await openPage()
    ends.push(async () => {
      await close()
      expect(complaints).toEqual([])
    })
    await page.goto(await desk.engine.dashboard())
    const rows = page.getByRole('treeitem')
    const row = (name: string) => rows.filter({ hasText: `onward/${name}` })
    await Promise.all([row('one').waitFor(), row('two').waitFor()])
    // filtered by engine, and by fleet
    const machines = page.getByRole('group', { name: 'Machines' }).getByRole('button')
    await machines.filter({ hasText: /^one/ }).click()
    await row('two').waitFor({ state: 'detached' })
    // it lets the fleet only look
    await row('one').click()
    await page.getByText('one lets the fleet only look').waitFor()
    const pause = page.getByRole('button', { name: 'Pause', exact: true })
    expect(await pause.isDisabled()).toBe(true)
    expect(await pause.getAttribute('title')).toBe('one does not let the fleet do that: fleet.rights in its config.')
    await machines.filter({ hasText: 'fleet onward' }).click()
    await row('two').click()
    await page.waitForURL((url) => url.hash === `#/on/two/session/${agent.session}`)
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    expect(await axeViolations(page)).toEqual([])

    // what is done here is done there, and seen here
    const paused = async () => (await two.engine.control.api.session.query(agent.session)).paused
    await pause.click()
    await waitFor('it to be paused there', paused)
    await page.getByRole('main').getByRole('button', { name: 'Resume', exact: true }).click()
    await waitFor('it to go on there', async () => !(await paused()))
    await page.getByRole('tab', { name: /^Terminal/ }).click()
    await page.getByText('A screen does not go through the hub').waitFor()

    await two.kill()
    await page.getByText(/two has been away since \d\d:\d\d\./).waitFor()
    await machines.filter({ hasText: /^two.*last seen/ }).waitFor()
    await page.getByRole('tab', { name: /^Queue/ }).click()
    await page.getByRole('textbox', { name: 'A message' }).fill('look at the build')
    await page.keyboard.press('Enter')
    await page.getByText(/two is away\. This waits at the hub until/).waitFor()
    await page.getByText('1 message waits for it.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await two.restart()
    await delivered(two, agent, await clientOf(hub), 'look at the build')
    await page.getByText('two has been away since').waitFor({ state: 'detached' })
    await row('two')
      .filter({ hasText: /last seen/i })
      .waitFor({ state: 'detached' })
  })
})
