import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scene, type Scene } from './fake/scene.ts'
import { axeViolations } from './support/axe.ts'
import { mockMoment, noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

const provider = (page: Page, id: string) =>
  page.getByRole('list', { name: 'Providers' }).locator(`> li[aria-label="${id}"]`)
const route = (page: Page, category: string) => page.getByRole('list', { name: `Models of ${category}, in order` })
const pill = (page: Page, category: string, target: string) =>
  route(page, category).getByRole('button', { name: new RegExp(`^${target.replaceAll('.', '\\.')}( × .+)?,`) })
const models = async (page: Page, category: string) =>
  (await route(page, category).getByRole('button').allInnerTexts()).map((text) => text.replaceAll('\n', ' '))

describe('providers and routing', unless(noBrowser), () => {
  let dashboard: Dashboard
  const open = async (options: Parameters<Dashboard['open']>[0] = {}): Promise<Page> => {
    const page = await dashboard.open({ place: 'providers', ...options })
    await provider(page, 'zai').or(page.getByText('No provider is configured')).first().waitFor()
    return page
  }
  const calls = (name: string) => dashboard.engine.api.calls.filter((c) => c.name === name).map((c) => c.input)
  beforeEach(async () => {
    dashboard = await startDashboard()
  })
  afterEach(async () => {
    const complaints = dashboard.complaints()
    await dashboard.close()
    expect(complaints).toEqual([])
  })

  it('says of each provider how it is', async () => {
    const page = await open()
    await provider(page, 'zai').getByText('Healthy. Serves 5 sessions.').waitFor()
    await provider(page, 'openrouter').getByText('Key “main” was refused (401). Turns use “spare” meanwhile.').waitFor()
    await provider(page, 'qwen').getByText('Cooling down for 42 s after 3 failures, then one trial call.').waitFor()
    await provider(page, 'qwen').getByRole('img', { name: 'Last 24 calls, 3 failed' }).waitFor()
    await provider(page, 'simulator')
      .getByText('Not in any route. Answers demos and tests without an account.')
      .waitFor()
    await page.getByText('http://127.0.0.1:5520').waitFor()
  })

  it('counts down without moving anything', async () => {
    const page = await open()
    const row = provider(page, 'qwen')
    const before = await row.boundingBox()
    await page.clock.setFixedTime(mockMoment + 33_000)
    await row.getByText('Cooling down for 9 s after 3 failures').waitFor()
    await provider(page, 'anthropic').getByText('1:47:27').waitFor()
    expect(await row.boundingBox()).toEqual(before)
  })

  it('tests a provider and says what came back, also when nothing did', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Test zai' }).click()
    await provider(page, 'zai').getByText('Answered in 1.1 s, first byte after 0.8 s: glm-5, key “main”').waitFor()
    dashboard.engine.api.failNext('testProvider', 'openai did not answer within 15 s')
    await page.getByRole('button', { name: 'Test openai' }).click()
    await provider(page, 'openai').getByText('No answer: openai did not answer within 15 s').waitFor()
    await page.getByRole('button', { name: 'Close the result of zai' }).click()
    await expect.poll(() => provider(page, 'zai').getByText('Answered in').count()).toBe(0)
    await page.getByRole('button', { name: 'Test all' }).click()
    await expect.poll(() => calls('testProvider').length).toBe(9)
  })

  it('continues everybody who waits at a limit, or nobody', async () => {
    const page = await open()
    const row = provider(page, 'anthropic')
    await row.getByText('5-hour limit').waitFor()
    await row.getByRole('progressbar', { name: 'Weekly limit, used' }).waitFor()
    const toggle = row.getByRole('switch', { name: 'Send “continue” to 2 sessions when it lifts' })
    expect(await toggle.isChecked()).toBe(true)
    await toggle.press('Space')
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await expect
      .poll(() => calls('setResumeAtReset'))
      .toEqual([
        { session: 'infra-terraform-01jd', on: false },
        { session: 'data-migration-01jd', on: false },
      ])
    await dashboard.engine.api.setResumeAtReset({ session: 'data-migration-01jd', on: true })
    await row.getByText('1 of 2 on, infra-terraform, data-migration').waitFor()
    expect(await toggle.isChecked()).toBe(false)
    await toggle.press('Space')
    await expect.poll(() => toggle.isChecked()).toBe(true)
    await expect.poll(() => calls('setResumeAtReset').at(-1)).toEqual({ session: 'infra-terraform-01jd', on: true })
  })

  it('adds a provider, with what is wrong beside its field, and tests it at once', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add provider' })
    await dialog.getByLabel('Provider', { exact: true }).selectOption('DeepSeek')
    await dialog.getByLabel('Name in the config').fill('zai')
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    await dialog.getByText('There is a provider of this name already.').waitFor()
    await dialog.getByText('Paste the key, or choose another access.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await dialog.getByLabel('Name in the config').fill('deep')
    await dialog.getByRole('radio', { name: 'Environment variable' }).check()
    expect(await dialog.getByRole('textbox', { name: 'Environment variable' }).inputValue()).toBe('DEEPSEEK_API_KEY')
    await dialog.getByLabel('Models, optional').fill('deepseek-chat, deepseek-reasoner')
    dashboard.engine.api.failNext('addProvider', 'The config was edited meanwhile. Try again.')
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    await dialog.getByRole('alert').getByText('The config was edited meanwhile. Try again.').waitFor()
    dashboard.engine.api.failNext('testProvider', 'deep answered 401')
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    // Its row opens, with the test and the way into a route.
    const form = page.getByRole('form', { name: 'deep, last step' })
    await provider(page, 'deep').getByText('No answer: deep answered 401').waitFor()
    await page.getByRole('button', { name: 'Test deep' }).click()
    await provider(page, 'deep').getByText('Answered in 1.1 s').waitFor()
    await form.getByText('In no route yet: add').waitFor()
    await form.getByLabel('Model for the route').selectOption('deepseek-reasoner')
    await form.getByRole('button', { name: 'review', exact: true }).click()
    await form.getByText('3rd of 3').waitFor()
    expect((await models(page, 'review')).at(-1)).toBe('deep/deepseek-reasoner')
    await form.getByRole('button', { name: 'Done' }).click()
    await form.waitFor({ state: 'detached' })
    await provider(page, 'deep').getByText('Not called yet.').waitFor()
    await expect
      .poll(() => calls('addProvider').at(-1))
      .toEqual({
        id: 'deep',
        preset: 'deepseek',
        type: 'openai-chat',
        baseUrl: null,
        auth: 'key',
        key: { env: 'DEEPSEEK_API_KEY' },
        models: ['deepseek-chat', 'deepseek-reasoner'],
      })
  })

  it('edits a provider in its place, by keyboard alone', async () => {
    const page = await open()
    await provider(page, 'zai').getByRole('button', { name: 'Edit zai' }).press('Enter')
    const form = page.getByRole('form', { name: 'Edit zai' })
    await expect
      .poll(() => form.getByLabel('Name', { exact: true }).evaluate((el) => el === document.activeElement))
      .toBe(true)
    await form.getByRole('listitem', { name: 'spare' }).getByText('from ZAI_KEY_2').waitFor()
    await form.getByRole('button', { name: 'Fetch models' }).press('Enter')
    await form.getByText(/^api\.z\.ai lists 4 models, 2 not here yet/).waitFor()
    await form.getByRole('button', { name: 'Add glm-5v' }).press('Enter')
    await form.getByLabel('glm-5v, vision').waitFor()
    await form.getByLabel('glm-5v, dollars per million, In').fill('much')
    await form.getByLabel('glm-5v, dollars per million, In').press('Enter')
    await form.getByText('A price is a number of dollars, or empty.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await form.getByLabel('glm-5v, dollars per million, In').fill('0.55')
    await form.getByLabel('glm-5v, dollars per million, In').press('Enter')
    await form.getByText('A price needs In and Out.').waitFor()
    await form.getByLabel('glm-5v, dollars per million, Out').fill('1.8')
    dashboard.engine.api.failNext('updateProvider', 'The config file was changed by another program.')
    await form.getByLabel('glm-5v, dollars per million, Out').press('Enter')
    await form.getByText('The config file was changed by another program.').waitFor()
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('zai saved').waitFor()
    await expect
      .poll(() => calls('updateProvider').at(-1))
      .toMatchObject({
        provider: 'zai',
        models: [
          { id: 'glm-5' },
          { id: 'glm-5-air' },
          { id: 'glm-5v', vision: true, price: { input: 0.55, output: 1.8 } },
        ],
      })
    await form.getByLabel('Name', { exact: true }).press('Escape')
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit zai')
  })

  it('removes a provider, takes that back, and never takes back another edit', async () => {
    const page = await open()
    const remove = async (id: string) => {
      await page.getByRole('button', { name: `More about ${id}` }).click()
      await page.getByRole('menuitem', { name: 'Remove provider' }).click()
      await expect.poll(() => provider(page, id).count()).toBe(0)
    }
    await remove('ollama')
    await page.getByText(/^Provider ollama removed, and taken out of 1 route/).waitFor()
    await page.locator('body').press('Control+z')
    await provider(page, 'ollama').waitFor()
    await remove('ollama')
    await pill(page, 'review', 'zai/glm-5').press('Delete')
    await expect.poll(() => models(page, 'review')).toEqual(['anthropic/claude-sonnet'])
    await page.locator('body').press('Control+z')
    await page.getByText('Not taken back: the config was changed again since').waitFor()
    expect(await models(page, 'review')).toEqual(['anthropic/claude-sonnet'])
  })

  it('reorders and removes with the keyboard, keeps the focus, and undoes', async () => {
    const page = await open()
    await pill(page, 'default', 'zai/glm-5').press('Alt+ArrowRight')
    await expect.poll(() => models(page, 'default')).toEqual(['anthropic/claude-sonnet × 1', 'zai/glm-5 × 3'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('zai/glm-5 × 3, 2 of 2')
    await page.getByText('zai/glm-5 is 2 of 2 now').waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => calls('saveRoute').length).toBe(2)
    await page.keyboard.press('Delete')
    await expect.poll(() => models(page, 'default')).toEqual(['anthropic/claude-sonnet × 1'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^anthropic\/claude-sonnet × 1, 1 of 1/)
    await page.getByText('Saved 14:12').waitFor()
    await page.getByRole('button', { name: 'Undo last change' }).click()
    await expect.poll(() => models(page, 'default')).toEqual(['zai/glm-5 × 3', 'anthropic/claude-sonnet × 1'])
    await expect.poll(() => page.getByRole('button', { name: 'Undo last change' }).isDisabled()).toBe(true)
    expect(page.url()).toContain('providers')
  })

  it('reorders with the pointer, and leaves all as it was on Esc', async () => {
    const page = await open()
    const drag = async () => {
      const from = await pill(page, 'longContext', 'zai/glm-5').boundingBox()
      const to = await pill(page, 'longContext', 'qwen/qwen3-coder').boundingBox()
      if (!from || !to) throw new Error('the pills are on the screen')
      await page.mouse.move(from.x + 10, from.y + 12)
      await page.mouse.down()
      await page.mouse.move(to.x + 20, to.y + 10, { steps: 6 })
      await page.locator('.drop-before').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await models(page, 'longContext')).toEqual(['qwen/qwen3-coder', 'zai/glm-5'])
    await page.keyboard.press('Escape')
    await drag()
    await page.mouse.up()
    await expect.poll(() => models(page, 'longContext')).toEqual(['zai/glm-5', 'qwen/qwen3-coder'])
    await expect
      .poll(() => calls('saveRoute'))
      .toEqual([
        {
          category: 'longContext',
          pool: [
            { target: 'zai.glm-5', weight: null },
            { target: 'qwen.qwen3-coder', weight: null },
          ],
        },
      ])
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('weighs a model and adds others, known or typed', async () => {
    const page = await open()
    await pill(page, 'background', 'zai/glm-5-air').click()
    const model = page.getByRole('combobox', { name: 'Model', exact: true })
    const weight = page.getByRole('textbox', { name: /^Weight/ })
    await weight.fill('0')
    await page.keyboard.press('Enter')
    await page.getByText('A weight is a number above 0, or empty.').waitFor()
    await weight.fill('2')
    await page.keyboard.press('Enter')
    await expect.poll(() => models(page, 'background')).toEqual(['ollama/qwen3:8b', 'zai/glm-5-air × 2'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('zai/glm-5-air × 2, 2 of 2')
    await page.getByRole('button', { name: 'Add a model to background' }).click()
    await model.fill('coder')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => models(page, 'background'))
      .toEqual(['ollama/qwen3:8b', 'zai/glm-5-air × 2', 'qwen/qwen3-coder'])
    await page.getByRole('button', { name: 'Add a model to background' }).click()
    await model.fill('nobody/x')
    await page.keyboard.press('Enter')
    await page.getByText('No provider is called nobody.').waitFor()
    await model.fill('zai/glm-9')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await models(page, 'background')).at(-1)).toBe('zai/glm-9')
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByRole('menuitem', { name: /^coding/ }).click()
    await model.fill('zai/glm-5')
    await page.keyboard.press('Enter')
    await expect.poll(() => models(page, 'coding')).toEqual(['zai/glm-5'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('zai/glm-5, 1 of 1')
    await page.getByRole('button', { name: 'Add a model to coding' }).click()
    await model.press('Escape')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Add a model to coding')
  })

  it('takes an edit back that the engine refuses', async () => {
    const page = await open()
    dashboard.engine.api.failNext('saveRoute', 'The config file was changed by another program.')
    await pill(page, 'default', 'zai/glm-5').press('Alt+ArrowRight')
    await page.getByText('Not done: The config file was changed by another program.').waitFor()
    expect(await models(page, 'default')).toEqual(['zai/glm-5 × 3', 'anthropic/claude-sonnet × 1'])
  })

  it('says where a request would go, again when the providers change', async () => {
    const page = await open()
    const result = page.getByRole('region', { name: 'Where would this go?' }).getByRole('status')
    await result.getByText('Route default: no other route applies').waitFor()
    await page.getByLabel('Model asked for').fill('claude-sonnet')
    await page.getByLabel('Tokens', { exact: true }).fill('82k')
    await page.getByLabel('Session', { exact: true }).selectOption('docs-site')
    await result.getByText('Route longContext: about 82 000 tokens are over 60 000').waitFor()
    await result.getByText('qwen/qwen3-coder passed over: cooling down for 42 s after 3 failures').waitFor()
    await result.getByText('zai/glm-5 takes it, up to 200 000 tokens').waitFor()
    await result.getByText('nothing is sent').waitFor()
    await expect
      .poll(() => calls('routeCheck').at(-1))
      .toEqual({
        entry: 'messages',
        model: 'claude-sonnet',
        tokens: 82_000,
        thinking: false,
        image: false,
        webSearch: false,
        kind: 'turn',
        session: 'docs-site-01jd',
      })
    await page.getByLabel('Tokens', { exact: true }).fill('')
    await page.getByRole('switch', { name: 'Thinking' }).press('Space')
    await result.getByText('Route thinking: thinking is asked for').waitFor()
    const asked = calls('routeCheck').length
    dashboard.engine.api.push({
      type: 'providers',
      providers: await dashboard.engine.api.providers(),
      routing: { ...(await dashboard.engine.api.routing()), savedAt: mockMoment },
    })
    await expect.poll(() => calls('routeCheck').length).toBe(asked + 1)
    dashboard.engine.api.failNext('routeCheck', 'The router is starting.')
    await page.getByRole('switch', { name: 'Image' }).press('Space')
    await result.getByText('The router is starting.').waitFor()
  })

  it('slides Routing over the list on a narrow window, and back', async () => {
    const page = await open({ width: 900 })
    await page.getByRole('button', { name: 'Routing', exact: true }).click()
    await page.getByRole('heading', { name: 'Routing' }).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Back to providers')
    await expect.poll(() => page.getByRole('button', { name: 'Test all' }).isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('button', { name: 'Test all' }).isVisible()).toBe(true)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Routing')
  })

  for (const theme of ['light', 'dark'] as const) {
    it.each<[string, (page: Page) => Promise<unknown>]>([
      ['as it opens', async () => undefined],
      ['with results', (page) => page.getByRole('button', { name: 'Test all' }).click()],
      ['with a model open', (page) => pill(page, 'default', 'zai/glm-5').click()],
      [
        'with the known models',
        async (page) => {
          await page.getByRole('button', { name: 'Add a model to default' }).click()
          await page.keyboard.press('ArrowDown')
        },
      ],
      [
        'with a dialog full of mistakes',
        async (page) => {
          await page.getByRole('button', { name: 'Add provider' }).click()
          await page.getByLabel('Provider', { exact: true }).selectOption('Own base URL')
          await page.getByRole('button', { name: 'Add and test' }).click()
        },
      ],
    ])(`axe finds nothing ${theme}, %s`, async (_what, prepare) => {
      const page = await open({ theme, reducedMotion: true })
      await page.getByText('Goes to').waitFor()
      await prepare(page)
      await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'))
      expect(await axeViolations(page)).toEqual([])
    })
  }
})

describe('providers of other engines', unless(noBrowser), () => {
  const bare = (now: number): Scene => {
    const made = scene(now)
    return {
      ...made,
      status: {
        ...made.status,
        simulator: true,
        providers: [],
        configProblem: 'routes.default: “zai.glm-9” names no provider.',
      },
    }
  }

  it('teach when there are none, and say what is wrong with the config', async () => {
    const dashboard = await startDashboard({ makeScene: bare })
    const page = await dashboard.open({ place: 'providers' })
    await page.getByText('No provider is configured').waitFor()
    await page.getByText('Turns go to the simulator, whose answers are scripted.').waitFor()
    expect(await page.getByText('routes.default: “zai.glm-9” names no provider.').count()).toBe(1)
    await page.getByRole('button', { name: 'Add provider' }).last().click()
    await page.getByRole('dialog', { name: 'Add provider' }).waitFor()
    expect(dashboard.complaints()).toEqual([])
    await dashboard.close()
  })

  it('offers to wait for resets where a window is nearly used up', async () => {
    const quota = { window: '5h', usedPercent: 84.6, resetsAt: mockMoment + 7_200_000 }
    const dashboard = await startDashboard()
    const { api } = dashboard.engine
    const { follow } = api
    api.follow = async function* (signal) {
      for await (const update of follow(signal))
        yield 'providers' in update && update.providers
          ? {
              ...update,
              providers: update.providers.map((one) => (one.id === 'zai' ? { ...one, quotas: [quota] } : one)),
            }
          : update
    }
    const page = await dashboard.open({ place: 'providers' })
    const offer = page.getByRole('button', { name: 'Let followups wait for resets from 90%' })
    await provider(page, 'zai').getByText('84% of the 5-hour limit is used').waitFor()
    expect(await offer.count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    await offer.click()
    await page.getByText('From 90% of a limit on, followups wait for its reset').waitFor()
    expect(dashboard.engine.api.calls.filter(({ name }) => name === 'setSetting').map(({ input }) => input)).toEqual([
      { name: 'limits.pauseAt', value: 90 },
    ])
    expect(dashboard.complaints()).toEqual([])
    await dashboard.close()
  })

  it('are asked for where the snapshot has none, again after a failure', async () => {
    const dashboard = await startDashboard()
    const { api } = dashboard.engine
    const { follow } = api
    api.follow = async function* (signal) {
      for await (const update of follow(signal))
        yield update.type === 'snapshot'
          ? { type: 'snapshot', status: update.status, sessions: update.sessions, terminals: update.terminals }
          : update
    }
    api.failNext('providers', 'The engine is too old.')
    const page = await dashboard.open({ place: 'providers' })
    await page.getByText('The providers could not be loaded').waitFor()
    await page.getByText('The engine is too old.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await provider(page, 'zai').waitFor()
    await route(page, 'default').waitFor()
    await dashboard.close()
  })
})
