/** An organisation's policy on a real engine: what clients, the command line and phones are told. */
import Anthropic from '@anthropic-ai/sdk'
import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../shared/config/schema.ts'
import { parseJson } from '../shared/parse-json.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { codexHome, installAgents } from './support/agents.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { newHome, projectsOf, removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { allEntries, bodyOf } from './support/entries.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { post } from './support/post.ts'
import { agentMissing, realAgents } from './support/real/index.ts'

let engine: EngineForTest
let good: MockUpstream
let bad: MockUpstream
let policy = ''

const rules = () => ({
  organisation: 'Example Ltd',
  contact: 'it@example.com',
  providers: [{ address: good.baseUrl, models: ['m-*'] }],
  budgets: { rounds: 50 },
  servertools: ['clock'],
  phone: false,
  fleets: [{ url: 'tls://hub.example:4222' }],
})
/** As an administrator's tool does it: another file in its place. */
const writePolicy = (value: unknown) => {
  writeFileSync(`${policy}.new`, typeof value === 'string' ? value : JSON.stringify(value))
  renameSync(`${policy}.new`, policy)
}
const config = (): ConfigInput => ({
  providers: {
    good: { type: 'openai-chat', baseUrl: `${good.baseUrl}/v1`, auth: 'none', models: { 'm-1': {}, other: {} } },
    bad: { type: 'openai-chat', baseUrl: `${bad.baseUrl}/v1`, auth: 'none', models: { 'm-1': {} } },
  },
  routes: { default: ['bad.m-1', 'good.m-1'], review: ['bad.m-1'] },
  aliases: { sonnet: 'good.other' },
  servertools: { tools: { web_fetch: true } },
})
/** Codex 0.171.0 asks once; Claude Code 2.1.332 asks six times within a second, each time in another way. */
const MOST_ASKED = 8
const cli = (...args: string[]) => onward([...args, '--home', engine.home], { ONWARD_POLICY: policy })
const status = () => engine.control.api.status.query()

beforeAll(async () => {
  ;[good, bad] = [await startMockUpstream(), await startMockUpstream()]
  for (const mock of [good, bad]) mock.otherwise = say('Done.')
  const home = newHome()
  policy = join(home, 'policy.json')
  writePolicy(rules())
  engine = await startEngineForTest(config(), { env: { ONWARD_POLICY: policy } })
})
afterAll(async () => {
  await engine?.dispose()
  for (const mock of [good, bad]) await mock?.dispose()
  removeHomes()
})

describe('a model that a policy refuses', () => {
  it.each(allEntries)('is refused in the client’s own protocol: $entry', async (entry) => {
    for (const model of ['bad/m-1', 'good/other', 'sonnet']) {
      const asked = bodyOf(entry, ['hi'], entry.entry === 'gemini' ? {} : { model })
      const path = entry.path.replace('m-1', model)
      const { status: code, body } = await post(engine, path, asked, { headers: entry.headers })
      expect([model, code]).toEqual([model, 400])
      const { error } = parseJson(body.toString()) as { error: { message: string } }
      expect(error.message).toMatch(/^Your organisation \(Example Ltd\) does not allow (bad\/m-1|good\/other)\./)
    }
    expect([good.requests.length, bad.requests.length]).toEqual([0, 0])
  })

  it('is passed over where a route has another, and is in no list', async () => {
    const openai = new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key })
    await openai.chat.completions.create({ model: 'any', messages: [{ role: 'user', content: 'hi' }] })
    expect([good.requests.length, bad.requests.length]).toEqual([1, 0])
    const { data } = await openai.models.list()
    expect(data.map(({ id }) => id)).toEqual(['m-1'])
    // Nor is it asked as one to fall back on.
    const fallback = JSON.stringify({
      model: 'good/m-1',
      messages: [{ role: 'user', content: 'hi' }],
      models: ['good-looking'],
    })
    expect((await post(engine, '/v1/chat/completions', fallback)).status).toBe(400)
    expect(good.requests).toHaveLength(1)
  })

  it('is not asked again by the vendors’ SDKs', async () => {
    const before = (await engine.control.api.turns.query(100)).length
    const anthropic = new Anthropic({ baseURL: engine.baseUrl, apiKey: engine.key })
    const openai = new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    await expect(anthropic.messages.create({ model: 'bad/m-1', max_tokens: 9, messages })).rejects.toMatchObject({
      status: 400,
    })
    await expect(openai.chat.completions.create({ model: 'bad/m-1', messages })).rejects.toMatchObject({ status: 400 })
    expect((await engine.control.api.turns.query(100)).length - before).toBe(2)
  })

  const endsSoon = async (run: (model: string) => Promise<Run>) => {
    const before = (await engine.control.api.turns.query(500)).length
    const { code, out } = await run('bad/m-1')
    expect(code).not.toBe(0)
    expect(out).toContain('Your organisation (Example Ltd) does not allow bad/m-1')
    const asked = (await engine.control.api.turns.query(500)).length - before
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(MOST_ASKED)
    expect(bad.requests).toHaveLength(0)
  }
  it('ends a real Claude Code at once, which says why', unless(agentMissing(realAgents.claude)), () => endsSoon(claude))
  it('ends a real Codex at once, which says why', unless(agentMissing(realAgents.codex)), () => endsSoon(codex))
})

describe('the settings page beside a policy', unless(noBrowser), () => {
  let opened: BrowserPage
  afterAll(() => opened?.close())

  it('says what the organisation set, and lets nobody set it', async () => {
    opened = await openPage({ viewport: { width: 1440, height: 900 } })
    const { page } = opened
    await page.goto(await engine.dashboard())
    await page.locator('.statusbar .num').first().waitFor()
    await page.evaluate(() => (location.hash = '#/settings'))
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const held = region('Set by your organisation')
    await held.getByText('Example Ltd sets these rules.').waitFor()
    for (const text of [policy, good.baseUrl, '50 rounds', 'servertools.tools.web_fetch', 'Questions: it@example.com'])
      expect(await held.innerText()).toContain(text)
    const tool = region('Tools for the model').getByRole('switch', { name: 'web_fetch' })
    expect([await tool.isDisabled(), await tool.isChecked()]).toEqual([true, false])
    expect(await region('Phones').getByRole('button', { name: 'Pair a phone' }).isDisabled()).toBe(true)
    const rounds = region('Keep going').getByRole('textbox', {
      name: /^Rounds, .*Set by your organisation: 50 at most/,
    })
    await rounds.fill('')
    await rounds.press('Enter')
    await region('Keep going')
      .getByText(/Your organisation \(Example Ltd\) set rounds to 50 at most/)
      .waitFor()
    expect(opened.complaints.filter((one) => !/403/.test(one))).toEqual([])
  })
})

describe('what a policy holds', () => {
  it('is told where a person looks: status, doctor and the config’s check', async () => {
    const { policy: told } = JSON.parse((await cli('status', '--json')).out) as Awaited<ReturnType<typeof status>>
    expect(told?.policies).toMatchObject([{ organisation: 'Example Ltd', source: policy, phone: false }])
    expect(told?.bounded.map(({ path }) => path)).toContain('stopMessage.budgets.rounds')
    expect((await cli('doctor')).out).toContain(`Your organisation (Example Ltd) sets rules for Onward in ${policy}.`)
    const check = await cli('config', 'check')
    expect([check.code, check.out]).toEqual([0, expect.stringContaining('config.json is right.')])
    expect(check.out).toMatch(/sets rules in .*policy\.json\.\n {2}providers\.good\.models\.other: Your organisation/)
    expect((await cli('providers')).out).toMatch(/bad .*Not allowed by your organisation \(Example Ltd\)/)
  })

  it('is not written: a budget, a tool, a provider, phones, a fleet', async () => {
    const refused = [
      ['budgets', '--rounds', '51'],
      ['budgets', '--rounds', 'never'],
      ['tools', 'on', 'web_search'],
      ['providers', 'add', 'deepseek', '--key-env', 'NOWHERE'],
      ['phone', 'pair'],
      ['fleet', 'join', 'nats://hub.example:4222'],
    ]
    for (const args of refused) {
      const { code, err } = await cli(...args)
      expect([args.join(' '), code === 0, err]).toEqual([
        args.join(' '),
        false,
        expect.stringContaining('Your organisation (Example Ltd)'),
      ])
    }
    expect((await cli('budgets', '--rounds', '20')).code).toBe(0)
    expect((await status()).budgets?.rounds).toBe(20)
  })

  it('is off for models, too', async () => {
    const { tools = [] } = (await status()).servertools ?? {}
    expect(tools.find(({ name }) => name === 'web_fetch')).toMatchObject({ on: false, by: 'policy' })
    expect(tools.find(({ name }) => name === 'clock')).toMatchObject({ on: true })
  })

  it('changes with its file, and a slip of an administrator’s ends nobody’s work', async () => {
    writePolicy({ ...rules(), budgets: { rounds: 5 } })
    await waitFor('the new bound', async () => (await status()).budgets?.rounds === 5)
    writePolicy('{ "budgets": { "rouns": 1 } }')
    await waitFor('the slip', async () => (await status()).policy?.trouble?.meanwhile === 'before')
    const openai = new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    await openai.chat.completions.create({ model: 'good/m-1', messages })
    await expect(openai.chat.completions.create({ model: 'bad/m-1', messages })).rejects.toMatchObject({ status: 400 })
    expect((await status()).budgets?.rounds).toBe(5)
  })

  it('that can’t be read when the engine starts lets nothing run until it is mended', async () => {
    await engine.stop()
    engine = await engine.restart()
    const ask = () => fetch(`${engine.baseUrl}/v1/models`, { headers: { 'x-api-key': engine.key } })
    const refusal = await ask()
    expect([refusal.status, await refusal.json()]).toMatchObject([503, { error: { code: 'policy-unreadable' } }])
    expect((await cli('doctor')).out).toMatch(/policy\.json, line 1, column \d+ \(budgets\): “rouns”/)
    writePolicy(rules())
    await waitFor('mended', async () => (await ask()).status === 200)
  })
})

interface Run {
  code: number | null
  out: string
}

function agent(program: string, args: readonly string[], env: Record<string, string>, cwd: string): Promise<Run> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: `${installAgents().path}:${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out }))
  })
}

function claude(model: string): Promise<Run> {
  const cwd = join(projectsOf(engine.home), 'claude')
  mkdirSync(cwd, { recursive: true })
  const env = realAgents.claude.seedHome(join(engine.home, 'claude'), [cwd])
  return agent(
    installAgents().claude ?? '',
    ['-p', 'hi', '--model', model],
    { ...env, ANTHROPIC_BASE_URL: engine.baseUrl, ANTHROPIC_API_KEY: engine.key },
    cwd,
  )
}

function codex(model: string): Promise<Run> {
  const cwd = join(projectsOf(engine.home), 'codex')
  const provider = `
model_provider = "onward"
[model_providers.onward]
name = "Onward"
base_url = "${engine.baseUrl}/v1"
wire_api = "responses"
env_key = "ONWARD_KEY"
`
  const env = codexHome(join(engine.home, 'codex'), cwd, provider)
  return agent(
    installAgents().codex,
    ['exec', '--skip-git-repo-check', '-m', model, 'hi'],
    { ...env, ONWARD_KEY: engine.key },
    cwd,
  )
}
