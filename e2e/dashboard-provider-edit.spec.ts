import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { unless } from '../shared/testing/unless.ts'

const answer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
const models = [{ id: 'big-1', context_length: 200_000 }, { id: 'small-1', context_length: 32_000 }, { id: 'other-1' }]

/** A gateway of the OpenAI kind that takes one key. */
async function startGateway(key: string): Promise<{ url: string; taken: string[]; stop(): Promise<void> }> {
  const taken: string[] = []
  const server: Server = createServer((request, response) => {
    const said = String(request.headers.authorization ?? '').replace('Bearer ', '')
    const right = said === key
    if (right) taken.push(`${request.method} ${request.url}`)
    const body = !right
      ? { error: { message: `Incorrect key ${said}` } }
      : request.method === 'GET'
        ? { object: 'list', data: models }
        : answer
    request.resume().on('end', () => {
      response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    taken,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a provider edited in the dashboard', unless(noBrowser), () => {
  let engine: EngineProcess
  let page: Page
  const each = eachTest()
  const gateway = async (key: string) => {
    const made = await startGateway(key)
    each.ends(() => made.stop())
    return made
  }
  const row = (id: string) => page.getByRole('list', { name: 'Providers' }).locator(`> li[aria-label="${id}"]`)
  const config = () => readFile(join(engine.home, 'config.json'), 'utf8')

  beforeEach(async () => {
    engine = await each.engine({ config: {} })
    page = await each.page(await engine.dashboard())
    await page.locator('.statusbar .num').first().waitFor()
    await page.evaluate(() => {
      location.hash = '#/providers'
    })
  })

  it('is added, gets its models and a route, moves, changes its key and goes, and comes back', async () => {
    const first = await gateway('sk-first')
    const second = await gateway('sk-second')

    await page.getByRole('button', { name: 'Add provider' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add provider' })
    await dialog.getByLabel('Provider', { exact: true }).selectOption('Own base URL')
    await dialog.getByLabel('Base URL').fill(first.url)
    await dialog.getByLabel('Name in the config').fill('gate')
    await dialog.getByRole('textbox', { name: 'Key' }).fill('sk-first')
    await dialog.getByRole('button', { name: 'Add and test' }).click()

    // It opens where it stands, says what the test showed and what it lists, and that it is in no route.
    const added = page.getByRole('form', { name: 'gate, last step' })
    await row('gate')
      .getByText(/^It listed 3 models in /)
      .waitFor()
    await added.getByText('In no route yet, and no model is named: fetch its models or write one in.').waitFor()
    await added.getByText(/lists 3 models, 3 not here yet/).waitFor()
    await added.getByRole('button', { name: 'Add big-1' }).click()
    expect(await added.getByLabel('big-1, context window').inputValue()).toBe('200 000')
    await added.getByRole('button', { name: 'default', exact: true }).click()
    await added.getByText('1st of 1').waitFor()
    expect(await engine.control.api.routing.query()).toMatchObject({
      routes: { default: [{ target: 'gate.big-1' }] },
    })
    expect(await config()).toContain('"contextWindow": 200000')
    await added.getByRole('button', { name: 'Done' }).click()
    await added.waitFor({ state: 'detached' })

    // A comment of the person's stays through every edit.
    await writeFile(join(engine.home, 'config.json'), `// mine\n${await config()}`)
    await row('gate').getByRole('button', { name: 'Edit gate' }).click()
    const form = page.getByRole('form', { name: 'Edit gate' })
    await form.getByLabel('Name', { exact: true }).fill('door')
    await form.getByLabel('Base URL').fill('second')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('An address begins with http:// or https://.').waitFor()
    await form.getByLabel('Base URL').fill(second.url)
    await form.getByLabel('big-1, dollars per million, In').fill('0.6')
    await form.getByLabel('big-1, dollars per million, Out').fill('2.2')
    await form.getByRole('button', { name: 'Save' }).click()
    const moved = page.getByRole('form', { name: 'Edit door' })
    await moved.getByText('1st of 1').waitFor()
    expect(await config()).toMatch(/^\/\/ mine\n/)
    expect(await config()).toContain('"price": { "input": 0.6, "output": 2.2 }')
    expect(await engine.control.api.routing.query()).toMatchObject({
      routes: { default: [{ target: 'door.big-1' }] },
    })

    // The key is that of the old address.
    await moved.getByRole('button', { name: 'Test key main' }).click()
    await moved.getByText(/The key “main” was refused \(401\)/).waitFor()
    await moved.getByRole('button', { name: 'More for key main' }).click()
    await page.getByRole('menuitem', { name: 'Replace or rename' }).click()
    await moved.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-second')
    await moved.getByRole('button', { name: 'Save' }).click()
    await moved.getByText('changed, not saved yet').waitFor({ state: 'detached' })
    await moved.getByRole('button', { name: 'Test key main' }).click()
    await moved.getByText(/^Answered in .*big-1, key “main”$/).waitFor()
    await moved.getByRole('button', { name: 'Fetch models' }).click()
    await moved.getByText(/lists 3 models, 2 not here yet/).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/sk-(first|second)/)
    expect(await config()).not.toMatch(/sk-(first|second)/)

    await moved.getByText('Takes it out of 1 route; can be undone.').waitFor()
    await moved.getByRole('button', { name: 'Remove door' }).click()
    await page.getByText('Provider door removed, and taken out of 1 route').waitFor()
    await row('door').waitFor({ state: 'detached' })
    await page.locator('body').press('Control+z')
    await row('door').waitFor()
    await row('door').getByRole('button', { name: 'Test door' }).click()
    await row('door')
      .getByText(/^Answered in /)
      .waitFor()
    expect(await config()).toMatch(/^\/\/ mine\n/)
  })

  it('is not overwritten where the file says something else by now, and what was typed is not lost', async () => {
    await engine.control.api.addProvider.mutate({
      id: 'gate',
      preset: null,
      type: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      auth: 'none',
      key: null,
      models: ['m'],
    })
    await row('gate').getByRole('button', { name: 'Edit gate' }).click()
    const form = page.getByRole('form', { name: 'Edit gate' })
    await form.getByLabel('Base URL').fill('http://127.0.0.1:9/mine')
    const elsewhere = (await config()).replace('9/v1', '9/theirs')
    await writeFile(join(engine.home, 'config.json'), elsewhere)
    await form.getByText(/^The config says something else of it by now/).waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText(/^gate was changed in the config meanwhile, so nothing was written/).waitFor()
    expect(await config()).toBe(elsewhere)

    // Closed with what was typed in it; Undo brings it back, another view does not take it.
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Changes of gate dropped').waitFor()
    await page.locator('body').press('Control+z')
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    await page.getByRole('link', { name: 'Providers' }).click()
    expect(await form.getByLabel('Base URL').inputValue()).toBe('http://127.0.0.1:9/mine')
    await form.getByRole('button', { name: 'Load what it says now' }).click()
    expect(await form.getByLabel('Base URL').inputValue()).toBe('http://127.0.0.1:9/theirs')
  })
})
