/** Real agents whose provider fails and comes back, seen in a window, in a dark Chinese one and on a paired phone. */
import type { Page } from 'playwright'
import { afterEach, describe, expect, it } from 'vitest'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { fail, gate, say } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'

const agents = [realAgents.codex, realAgents.claude]

describe.each(agents)('a provider that fails under a real $name', (agent) => {
  const world = agentWorld(agent)
  const opened: BrowserPage[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  const open = async (link: string, wanted: Parameters<typeof openPage>[0]): Promise<Page> => {
    const made = await openPage(wanted)
    opened.push(made)
    await made.page.goto(link)
    return made.page
  }

  it(
    'stands on top of every page from the second try on, and goes with the first answer',
    unless(firstOf(noBrowser, agentMissing(agent))),
    async () => {
      const { engine, mock } = world
      const person = await world.start(agent, { how: 'hosted' })
      await person.say('Say something short')
      const { id } = await engine.control.session((s) => s.shape === 'idle' && s.turns > 0, 60_000)

      const { out } = await onward(['phone', 'pair', '--json', '--home', engine.home])
      const phone = await open((JSON.parse(out) as { url: string }).url, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
      })
      await phone.getByRole('button', { name: 'Pair', exact: true }).click()
      const light = await open(await engine.dashboard(), {})
      const dark = await open(await engine.dashboard(), {
        viewport: { width: 900, height: 700 },
        colorScheme: 'dark',
        locale: 'zh-CN',
      })
      for (const page of [phone, light, dark]) await page.getByRole('treeitem', { name: 'work' }).click()

      let asked = 0
      const back = gate()
      mock.script(({ auxiliary }) => {
        if (auxiliary !== null) return undefined
        asked++
        return asked <= 2 ? fail(503) : say('It is written.', { hold: { at: 'head', until: back } })
      })
      await person.say('Write the first part')
      const trouble = await engine.control.session(
        (s) => s.id === id && s.say.code === 'retrying' && s.shape === 'needs',
        60_000,
      )
      expect(trouble.say).toMatchObject({ tries: 2, status: 503 })
      const names = [
        [phone, 'What needs you', /^mock fails since \d\d:\d\d$/],
        [light, 'What needs you', /^mock fails since \d\d:\d\d$/],
        [dark, '等你处理', /^mock 从 \d\d:\d\d 起一直失败$/],
      ] as const
      for (const [page, name, title] of names) await page.getByRole('region', { name }).getByText(title).waitFor()
      await light.getByRole('link', { name: 'Sessions, 1 needs you' }).waitFor()

      back.open()
      await engine.control.session((s) => s.id === id && s.shape === 'idle', 60_000)
      await person.shows('It is written.')
      for (const [page, name] of names) await page.getByRole('region', { name }).waitFor({ state: 'detached' })
      await light.getByRole('link', { name: 'Sessions', exact: true }).waitFor()
      expect(mock.problems).toEqual([])
    },
  )
})
