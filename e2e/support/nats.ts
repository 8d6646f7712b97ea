/** A hub for fleets: the system's own nats-server on loopback, with keys, ports and a folder of this test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, nkeyAuthenticator, nkeys, type NatsConnection } from '@nats-io/transport-node'
import { waitFor } from '../../shared/testing/wait-for.ts'

const program = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync) ?? null
/** null: there is one */
export const noNats: string | null = program === null ? 'the system has no nats-server' : null

export interface NatsUser {
  seed: string
  /** what the hub knows it by */
  publicKey: string
  /** a file with the seed, which nobody else can read */
  file: string
}

export interface NatsServer {
  url: string
  port: number
  folder: string
  user(name: string): NatsUser
  /** ends it as a power cut does */
  kill(): Promise<void>
  start(): Promise<void>
  /** with another config, without a new start */
  reload(config: string): void
  /** as one of its users, or without a login */
  client(user?: NatsUser): Promise<NatsConnection>
  dispose(): Promise<void>
}

/** @param config what follows ports and JetStream, made of the users that it asks for */
export async function startNats(
  config: (user: NatsServer['user'], folder: string) => string = () => '',
  { jetstream = true, domain }: { jetstream?: boolean; domain?: string } = {},
): Promise<NatsServer> {
  if (program === null) throw new Error('no nats-server')
  const folder = mkdtempSync(join(tmpdir(), 'onward-nats-'))
  const port = await freePort()
  const path = join(folder, 'nats.conf')
  const users = new Map<string, NatsUser>()
  const user = (name: string): NatsUser => {
    const known = users.get(name)
    if (known) return known
    const pair = nkeys.createUser()
    const file = join(folder, `${name}.nk`)
    const made = { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey(), file }
    writeFileSync(file, `${made.seed}\n`)
    chmodSync(file, 0o600)
    users.set(name, made)
    return made
  }
  const write = (more: string) =>
    writeFileSync(
      path,
      [
        'host: 127.0.0.1',
        `port: ${port}`,
        `server_name: n${port}`,
        ...(jetstream
          ? [`jetstream { store_dir: "${join(folder, 'store')}"${domain ? `, domain: ${domain}` : ''} }`]
          : []),
        more,
      ].join('\n'),
    )
  write(config(user, folder))
  let child: ChildProcess | null = null
  const start = async () => {
    const running = spawn(program, ['-c', path], { stdio: ['ignore', 'ignore', 'pipe'] })
    child = running
    let said = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000)
    })
    await waitFor(`nats-server: ${said}`, () => {
      if (running.exitCode !== null) throw new Error(said)
      return said.includes('Server is ready')
    })
  }
  const kill = async () => {
    const running = child
    child = null
    if (!running || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  await start()
  const url = `nats://127.0.0.1:${port}`
  return {
    url,
    port,
    folder,
    user,
    kill,
    start,
    reload(more) {
      write(more)
      child?.kill('SIGHUP')
    },
    client: (as) =>
      connect({
        servers: url,
        reconnect: false,
        ...(as && { authenticator: nkeyAuthenticator(new TextEncoder().encode(as.seed)) }),
      }),
    async dispose() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Trust by JWTs, as `nsc` makes it: an operator, one account with JetStream, and a file of credentials for a user. */
export function operatorMode(folder: string): { config: string; creds: string } {
  const [operator, user] = [nkeys.createOperator(), nkeys.createUser()]
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()]
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = (issuer: typeof operator, subject: typeof operator, name: string, nats: object) => {
    const claims = {
      jti: name,
      iat: 1_700_000_000,
      iss: issuer.getPublicKey(),
      name,
      sub: subject.getPublicKey(),
      nats,
    }
    const text = `${coded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${coded(claims)}`
    return `${text}.${Buffer.from(issuer.sign(new TextEncoder().encode(text))).toString('base64url')}`
  }
  const bounds = Object.fromEntries(
    [
      'subs',
      'data',
      'payload',
      'imports',
      'exports',
      'conn',
      'leaf',
      'mem_storage',
      'disk_storage',
      'streams',
      'consumer',
    ].map((name) => [name, -1]),
  )
  const limits = { ...bounds, wildcards: true }
  const accountJwt = (of: typeof account, name: string) =>
    jwt(operator, of, name, { type: 'account', version: 2, limits: of === account ? limits : {} })
  const userJwt = jwt(account, user, 'gpu', {
    type: 'user',
    version: 2,
    subs: -1,
    data: -1,
    payload: -1,
    pub: {},
    sub: {},
  })
  const seed = new TextDecoder().decode(user.getSeed())
  const creds = join(folder, 'gpu.creds')
  const part = (what: string, text: string) => `-----BEGIN ${what}-----\n${text}\n------END ${what}------\n\n`
  writeFileSync(creds, part('NATS USER JWT', userJwt) + part('USER NKEY SEED', seed))
  chmodSync(creds, 0o600)
  return {
    creds,
    config: [
      `operator: ${jwt(operator, operator, 'OP', { type: 'operator', version: 2 })}`,
      'resolver: MEMORY',
      `system_account: ${system.getPublicKey()}`,
      'resolver_preload: {',
      `${account.getPublicKey()}: ${accountJwt(account, 'LAB')}`,
      `${system.getPublicKey()}: ${accountJwt(system, 'SYS')}`,
      '}',
    ].join('\n'),
  }
}

/** A line that can be cut, to a port of this machine. */
export interface CutLine {
  port: number
  cut(): void
  mend(): void
  dispose(): Promise<void>
}

export async function startLine(to: number): Promise<CutLine> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connectTo(to, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    if (isCut) return end()
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: portOf(server.address()),
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    async dispose() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>): number =>
  typeof address === 'object' && address !== null ? address.port : 0

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What the hub lets this user do, as docs/fleets.md has it. */
export function permissions(fleet: string, name: string, role: 'engine' | 'viewer' | 'operator' | 'borrower'): string {
  const kv = `KV_onward-${fleet}`
  const orders = `onward-${fleet}-orders`
  const own = [
    '$JS.API.STREAM.INFO.*',
    '$JS.FC.>',
    `$KV.onward-${fleet}.${name}.>`,
    `$JS.API.CONSUMER.CREATE.${kv}.*.$KV.onward-${fleet}.${name}.>`,
    `$JS.API.CONSUMER.CREATE.${kv}.*.$KV.onward-${fleet}.policy`,
    `$JS.API.CONSUMER.DELETE.${kv}.*`,
    `$JS.API.CONSUMER.*.${orders}.${name}`,
    `$JS.API.CONSUMER.CREATE.${orders}.${name}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${orders}.${name}`,
    `$JS.ACK.${orders}.${name}.>`,
    `onward.${fleet}.${name}.event.*`,
    `onward.${fleet}.*.lent.${name}`,
  ]
  const looks = [`onward.${fleet}.*.look.*`, `$JS.API.CONSUMER.CREATE.${kv}.>`, `$JS.API.DIRECT.GET.${kv}.>`]
  const acts = ['answer', 'say', 'arm'].flatMap((right) => [
    `onward.${fleet}.*.${right}.*`,
    `onward.${fleet}.*.later.${right}.*`,
  ])
  const lends = role === 'borrower' ? [`onward.${fleet}.*.lend.${name}`] : []
  const isMore = role === 'viewer' || role === 'operator'
  const publish = [...own, ...lends, ...(isMore ? looks : []), ...(role === 'operator' ? acts : [])]
  const subscribe = [`_INBOX.${name}.>`, `onward.${fleet}.${name}.*.*`]
  const allowed = `publish: ${JSON.stringify(publish)}, subscribe: ${JSON.stringify(subscribe)}`
  return `permissions: { ${allowed}, allow_responses: true }`
}
