/** Models that only another machine has the keys of, over the system's own ssh and over a real NATS hub. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { noNats, permissions, startLine, startNats } from './support/nats.ts'
import { onward } from './support/onward-cli.ts'
import { call, post } from './support/post.ts'
import { noSshd, startSshMachine, type SshMachine } from './support/ssh-machine.ts'

const key = 'local-test-key'
const vendorKey = 'sk-lies-in-one-place-only-0123456789'
let there: SshMachine
beforeAll(async () => {
  if (noSshd === null) there = await startSshMachine()
})
afterAll(async () => {
  await there?.dispose()
  removeHomes()
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const vendorWith = async (keys?: readonly string[]): Promise<MockUpstream> => {
  const vendor = await startMockUpstream({ ...(keys && { keys }), gaps: [0] })
  ends.push(() => vendor.dispose())
  return vendor
}
const engineWith = async (options: Parameters<typeof startEngine>[0]): Promise<EngineProcess> => {
  const engine = await startEngine(options)
  ends.push(() => engine.stop())
  return engine
}
const messages = (content = 'hello', stream = true): string =>
  JSON.stringify({ model: 'm', max_tokens: 100, stream, messages: [{ role: 'user', content }] })
/** The text of a stream of Messages. */
const textOf = (body: Buffer): string =>
  [...body.toString().matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = '""']) => JSON.parse(text) as string)
    .join('')
/** Every file of a home that holds this text. */
const holding = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text))

/** What the machine lends, and what is asked of it here, however the two are linked. */
const lends = (vendor: MockUpstream) => ({
  lent: { type: 'anthropic', baseUrl: vendor.baseUrl, keys: [{ alias: 'main', value: vendorKey }], lend: true },
  other: {
    type: 'openai-chat',
    baseUrl: `${vendor.baseUrl}/v1`,
    keys: [{ alias: 'main', value: vendorKey }],
    lend: true,
  },
})
const borrows = (via: string, spare: MockUpstream) => ({
  providers: {
    lent: { type: 'anthropic', via, models: { m: {} } },
    other: { type: 'openai-chat', via, models: { m: {} } },
    spare: { type: 'anthropic', baseUrl: spare.baseUrl, auth: 'none', models: { m: {} } },
  },
  routes: { default: ['lent.m', 'spare.m'] },
  server: { keys: [key] },
})

interface Pair {
  /** what the one that lends is called */
  engine: string
  vendor: MockUpstream
  spare: MockUpstream
  lender: EngineProcess
  here: EngineProcess
  /** cuts the line between the two */
  cut(): void
}

async function fleetPair(): Promise<Pair> {
  const [vendor, spare] = [await vendorWith([vendorKey]), await vendorWith()]
  const users = [['admin'], ['gpu', 'engine'], ['laptop', 'borrower']] as const
  const hub = await startNats((user) => {
    const lines = users.map(
      ([name, role]) => `{ nkey: ${user(name).publicKey}${role ? `, ${permissions('lab', name, role)}` : ''} }`,
    )
    return `accounts { LAB { jetstream: enabled, users: [${lines.join('\n')}] } }`
  })
  ends.push(() => hub.dispose())
  const line = await startLine(hub.port)
  ends.push(() => line.dispose())
  const joined = async (engine: string, url: string, config: object): Promise<EngineProcess> => {
    const fleet = { url, name: 'lab', engine, creds: hub.user(engine).file }
    const running = await engineWith({ home: newHome(), config: { fleet, ...config } })
    await waitFor('the fleet', async () => (await running.control.api.fleet.query())?.state.kind === 'there')
    return running
  }
  // the streams are made by one that may do everything
  await (await joined('admin', hub.url, {})).stop()
  const lender = await joined('gpu', hub.url, { providers: lends(vendor) })
  const here = await joined('laptop', `nats://127.0.0.1:${line.port}`, borrows('gpu', spare))
  return { engine: 'gpu', vendor, spare, lender, here, cut: () => line.cut() }
}

const links = {
  NATS: fleetPair,
  async ssh(): Promise<Pair> {
    const [vendor, spare] = [await vendorWith([vendorKey]), await vendorWith()]
    const lender = await engineWith({ home: there.home, config: { providers: lends(vendor) } })
    const home = newHome()
    writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: [{ name: 'devbox', target: 'devbox' }] }))
    ends.push(() => there.endShared(home))
    const here = await engineWith({ home, env: there.env, config: borrows('devbox', spare) })
    return { engine: 'devbox', vendor, spare, lender, here, cut: () => void process.kill(there.newest(), 'SIGKILL') }
  },
}

describe.each([
  ['ssh', noSshd],
  ['NATS', noNats],
] as const)('models of another machine, over %s', (link, missing) => {
  const pair = () => links[link]()
  const asked = ({ here }: Pair, body = messages()) => call({ baseUrl: here.baseUrl, key }, '/v1/messages', body)

  it('answer with the key that is there alone, as they do there, and cost here', unless(missing), async () => {
    const two = await pair()
    const { vendor, spare, lender, here } = two
    vendor.queue(say('All of it came.', { piece: 1 }), say('In other words.'), say('And whole.'))
    const streamed = await asked(two).answer
    expect([streamed.status, streamed.whole, textOf(streamed.body)]).toEqual([200, true, 'All of it came.'])
    const other = { model: 'other/m', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'convert' }] }
    const converted = await post({ baseUrl: here.baseUrl, key }, '/v1/messages', JSON.stringify(other))
    expect(textOf(converted.body)).toBe('In other words.')
    const body = await asked(two, messages('whole', false)).answer
    expect(body.body.toString()).toContain('And whole.')
    expect(vendor.requests.map(({ endpoint }) => endpoint)).toEqual(['messages', 'chat', 'messages'])
    expect(vendor.problems).toEqual([])
    expect(spare.requests).toEqual([])
    expect(holding(here.home, vendorKey)).toEqual([])
    expect(holding(lender.home, vendorKey)).not.toEqual([])
    const [far] = await waitFor('the records there', async () => {
      const found = await lender.control.api.turns.query(9)
      return found.length === 3 && found
    })
    expect(far).toMatchObject({ kind: 'aside', usage: null, costUsd: null, lentTo: expect.any(String) as string })
    expect(await here.control.api.turns.query(9)).toMatchObject([
      { usage: { output: expect.any(Number) as number } },
      {},
      {},
    ])
    expect(await here.control.api.testProvider.mutate('lent')).toMatchObject({ kind: 'answered', model: 'm' })
  })

  it('say a piece before the next one is there, and hear that their client left', unless(missing), async () => {
    const two = await pair()
    const more = gate()
    two.vendor.queue(say('ab', { piece: 1, hold: { at: 4, until: more } }))
    const open = asked(two)
    await waitFor('the first piece', () => textOf(open.received()) === 'a' || undefined)
    open.leave()
    expect(await (await two.vendor.turn(1)).over).toBe('left')
  })

  it(
    'that break off in the middle are an error; before that, and away, the next target answers',
    unless(missing),
    async () => {
      const two = await pair()
      const { vendor, spare, lender } = two
      const never = gate()
      vendor.queue(say('ab', { piece: 1, hold: { at: 4, until: never } }))
      const open = asked(two)
      await waitFor('the first piece', () => textOf(open.received()) === 'a' || undefined)
      two.cut()
      const broken = await open.answer
      expect(broken.body.toString()).toMatch(
        new RegExp(`event: error[^]*The line to ${two.engine} broke in the middle`),
      )
      expect(await (await vendor.turn(1)).over).toBe('left')
      expect([vendor.requests.length, spare.requests.length]).toEqual([1, 0])

      spare.queue(say('From the spare.'))
      await lender.kill()
      const elsewhere = await asked(two).answer
      expect(textOf(elsewhere.body)).toBe('From the spare.')
      expect(elsewhere.headers['x-onward-tried']).toContain('lent.m')
      expect(vendor.requests).toHaveLength(1)
      const shown = await onward(['--home', two.here.home, 'providers'])
      expect(shown.out).toContain(`through ${two.engine}`)
    },
  )
})
