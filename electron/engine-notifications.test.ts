import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { waitFor } from '../shared/testing/wait-for.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { Input } from '../shared/operations/index.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'
import { engineInProcess, listenOnLoopback } from './testing/engine-in-process.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

async function service(answer: () => { status: number; body: string }) {
  const got: { path: string; authorization: string | undefined; body: unknown }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ path: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(body) })
      const { status, body: said } = answer()
      response.writeHead(status).end(said)
    })
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return { url, got }
}
async function engineWith(config: unknown, lines?: string[]) {
  const home = temp()
  const path = join(home, 'config.json')
  await writeFile(path, typeof config === 'string' ? config : JSON.stringify(config))
  const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log }
  function keep(fields: object, message: string) {
    lines?.push(`${JSON.stringify(fields)} ${message}`)
  }
  const engine = await engineInProcess({
    home,
    ...(lines ? { log } : {}),
    env: { HOOK: 'http://127.0.0.1:9/from-env' },
  })
  over.push(() => engine.dispose())
  return { engine, home, path }
}
const ntfy = (url: string | null, over: Partial<Input<'saveOutside'>> = {}): Input<'saveOutside'> => ({
  was: null,
  name: 'phone',
  kind: 'ntfy',
  url,
  token: null,
  on: true,
  classes: null,
  texts: false,
  ...over,
})

describe('a place for notices', () => {
  it('is added, tested and removed, and its address stands nowhere but among the secrets', async () => {
    const { url, got } = await service(() => ({ status: 200, body: '{"id":"x"}' }))
    const lines: string[] = []
    const { engine, home, path } = await engineWith('{\n  // mine\n  "longContextThreshold": 60000\n}\n', lines)
    const views = await engine.api.saveOutside(ntfy(`${url}/hidden-topic-7`, { token: 'tk_hidden' }))
    expect(views).toMatchObject([{ name: 'phone', kind: 'ntfy', on: true, token: true, state: { kind: 'unused' } }])
    expect(await engine.api.testOutside('phone')).toMatchObject({ ok: true })
    expect(got).toMatchObject([
      {
        path: '/',
        authorization: 'Bearer tk_hidden',
        body: { topic: 'hidden-topic-7', title: 'Onward can reach you here' },
      },
    ])
    const { outside } = await engine.api.status()
    expect(outside).toMatchObject([{ host: new URL(url).host, state: { kind: 'sent' } }])
    const config = await readFile(path, 'utf8')
    expect(config).toContain('// mine')
    expect(await readFile(join(home, 'secrets.json'), 'utf8')).toContain('hidden-topic-7')
    for (const said of [config, lines.join('\n'), JSON.stringify(await engine.api.status())])
      expect(said).not.toMatch(/hidden-topic|tk_hidden/)
    await engine.api.removeOutside('phone')
    expect((await engine.api.status()).outside).toBeUndefined()
  })

  it('keeps an address that a person wrote as a variable when something else of it changes', async () => {
    const { engine, path } = await engineWith({
      notifications: { outside: [{ name: 'hook', kind: 'webhook', url: '${HOOK}' }] },
    })
    await engine.api.saveOutside(
      ntfy(null, { was: 'hook', name: 'my hook', kind: 'webhook', on: false, classes: ['budget'] }),
    )
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      notifications: {
        outside: [{ name: 'my hook', kind: 'webhook', url: '${HOOK}', on: false, classes: ['budget'] }],
      },
    })
  })

  it('says in a test why it was not taken, without the address', async () => {
    const { url } = await service(() => ({ status: 404, body: 'no hook at /hidden-path' }))
    const { engine } = await engineWith({
      notifications: { outside: [{ name: 'hook', kind: 'slack', url: `${url}/hidden-path` }] },
    })
    expect(await engine.api.testOutside('hook')).toEqual({
      ok: false,
      why: { code: 'answered', status: 404, said: 'no hook at [hidden]' },
    })
    expect((await engine.api.status()).outside).toMatchObject([{ state: { kind: 'failed' } }])
  })

  it('says that its secret is gone', async () => {
    const { engine } = await engineWith({
      notifications: { outside: [{ name: 'hook', kind: 'webhook', secretRef: 'gone' }] },
    })
    expect(await engine.api.testOutside('hook')).toEqual({
      ok: false,
      why: { code: 'no-address', why: 'there is no stored secret “gone”' },
    })
  })

  it.each([
    ['bad-address', ntfy('ntfy.sh/my-topic')],
    ['bad-address', ntfy('https://ntfy.sh/')],
    ['bad-address', ntfy('file:///etc/passwd', { kind: 'webhook' })],
    ['bad-address', ntfy(null)],
    ['outside-unknown', ntfy(null, { was: 'nobody' })],
  ])('is refused with %s', async (code, input) => {
    const { engine } = await engineWith({})
    await expect(engine.api.saveOutside(input)).rejects.toMatchObject({ code })
  })

  it.each([
    [{ name: 'a', kind: 'webhook' }, 'needs an address'],
    [{ name: 'a', kind: 'webhook', url: 'https://a.example', secretRef: 'x' }, 'needs an address'],
    [{ name: 'a', kind: 'ntfy', url: 'https://ntfy.sh' }, 'names no topic'],
    [{ name: 'a', kind: 'ntfy', url: 'https://ntfy.sh/t', token: 'a', tokenRef: 'b' }, 'two tokens'],
  ])('in the config that can not work is a mistake: %j', async (place, said) => {
    const { engine } = await engineWith({ notifications: { outside: [place] } })
    expect((await engine.api.status()).configProblem).toContain(said)
  })
})

describe('quiet hours', () => {
  it('are set in one write with the comments kept, and are on by being there', async () => {
    const { engine, path } = await engineWith('{\n  // mine\n  "notifications": { "limit": false } // why\n}\n')
    expect((await engine.api.status()).quietHours).toEqual({
      on: false,
      from: '22:00',
      to: '07:30',
      needsYou: false,
      ownAlarms: false,
      held: 0,
    })
    await engine.api.setQuietHours({ on: true, from: '23:15', to: '6:00', needsYou: true })
    expect((await engine.api.status()).quietHours).toMatchObject({
      on: true,
      from: '23:15',
      to: '6:00',
      needsYou: true,
    })
    expect(await readFile(path, 'utf8')).toContain('// mine')
    await expect(engine.api.setQuietHours({ to: '23:15' })).rejects.toMatchObject({ code: 'config-invalid' })
    await expect(engine.api.setQuietHours({ to: '25:00' })).rejects.toMatchObject({ code: 'config-invalid' })
    // A time that is set while they are off does not switch them on.
    await engine.api.setQuietHours({ on: false })
    expect(await engine.api.setQuietHours({ from: '21:00' })).toMatchObject({ on: false, from: '21:00', to: '6:00' })
  })

  it('in the config of a person need no more than their times', async () => {
    const { engine } = await engineWith({ notifications: { quietHours: { from: '21:00', to: '08:00' } } })
    expect((await engine.api.status()).quietHours).toMatchObject({ on: true, from: '21:00', to: '08:00' })
  })

  it('keep a test back from nowhere: a person asked for it', async () => {
    const { url, got } = await service(() => ({ status: 200, body: '' }))
    const { engine } = await engineWith({
      notifications: {
        quietHours: { from: '00:00', to: '23:59' },
        outside: [{ name: 'hook', kind: 'webhook', url: `${url}/x` }],
      },
    })
    expect(await engine.api.testOutside('hook')).toMatchObject({ ok: true })
    expect(got).toHaveLength(1)
  })

  it('keep an alarm that rings back, say so in the timeline, and tell it as one when a person ends them', async () => {
    const { url, got } = await service(() => ({ status: 200, body: '' }))
    const hour = 3_600_000
    const time = (at: number) => new Date(at).toTimeString().slice(0, 5)
    const { engine } = await engineWith({
      notifications: {
        quietHours: { from: time(Date.now() - hour), to: time(Date.now() + 2 * hour) },
        outside: [{ name: 'hook', kind: 'webhook', url: `${url}/x`, classes: ['alarm-due'] }],
      },
    })
    const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-claude-code-session-id': 'night-1' },
      body: JSON.stringify({ model: 'claude-x', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await answer.text()
    await engine.api.addAlarm({ session: 'night-1', dueAt: Date.now() + 20, task: 'look' })
    const notified = async (session: string | null) =>
      (await engine.api.timeline({ session, limit: 100 })).flatMap(({ body }) =>
        body.type === 'notified' ? [body] : [],
      )
    await waitFor('the alarm', async () => (await engine.api.status()).quietHours?.held === 1)
    expect(await notified('night-1')).toEqual([
      { type: 'notified', class: 'alarm-due', result: 'suppressed', why: 'quiet hours' },
    ])
    expect(got).toEqual([])
    await engine.api.setQuietHours({ on: false })
    await waitFor('the notice', () => got.length === 1)
    // It goes where the alarm would have gone, though that place lists no such class.
    expect(got[0]?.body).toMatchObject({ class: 'quiet-over', title: '1 notice came in quiet hours' })
    expect((await engine.api.status()).quietHours?.held).toBe(0)
    expect(await notified(null)).toContainEqual(expect.objectContaining({ class: 'quiet-over', result: 'suppressed' }))
  })
})
