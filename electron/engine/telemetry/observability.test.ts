import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unless } from '../../../shared/testing/unless.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { metricTable } from './metric-table.ts'
import { fullPage } from './testing/full-page.ts'

const folder = resolve(import.meta.dirname, '../../../build/observability')
const temp = tempFolders()
const text = (name: string) => readFileSync(join(folder, name), 'utf8')
const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
const promtoolMissing = (() => {
  try {
    promtool('--version')
    return null
  } catch {
    return 'promtool is not installed'
  }
})()

const boardShape = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
})
const targets = boardShape.parse(JSON.parse(text('board.json'))).panels.flatMap((panel) => panel.targets)
/** as Grafana fills them in */
const expressions = targets.map(({ expr }) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5m'))
const ruleExpressions = [...text('alerts.yml').matchAll(/^ +expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)/gm)].map(
  ([, block, line]) => block ?? line ?? '',
)

/** Names in PromQL: those within braces, `by` and `on` are of labels. */
const names = (expression: string) => {
  const inLabels = /\{([^}]*)\}|\b(?:by|on|without)\s*\(([^)]*)\)/g
  const labels = [...expression.matchAll(inLabels)].flatMap(([, matchers = '', list = '']) => [
    ...[...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, name = '']) => name),
    ...list.split(',').map((name) => name.trim()),
  ])
  const metrics = expression.replaceAll(inLabels, '').match(/\b(?:onward|gen_ai)_\w+/g) ?? []
  return { metrics, labels }
}
/** Prometheus' own. */
const givenLabels = ['instance', 'job', 'le', '']

let page = ''
beforeAll(async () => {
  page = await fullPage()
})
const onPage = () => {
  const samples = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return {
    metrics: new Set(samples.map((line) => /^\w+/.exec(line)?.[0])),
    labels: new Set(samples.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, name]) => name))),
  }
}

describe('board and alerts', () => {
  it('ask for metrics and labels that there are', () => {
    const there = onPage()
    const asked = [...expressions, ...ruleExpressions].map(names)
    expect(asked.length).toBeGreaterThan(35)
    expect(asked.flatMap(({ metrics }) => metrics).filter((name) => !there.metrics.has(name))).toEqual([])
    const legends = targets.flatMap(({ legendFormat }) => [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)])
    const labels = [...asked.flatMap((one) => one.labels), ...legends.map(([, name = '']) => name)]
    expect(labels.filter((name) => !there.labels.has(name) && !givenLabels.includes(name))).toEqual([])
  })

  it('have every metric that there is', () => {
    const asked = new Set([...expressions, ...ruleExpressions].flatMap((one) => names(one).metrics))
    const shown = Object.keys(metricTable).filter((name) => {
      const written = name.replaceAll('.', '_')
      return [...asked].some((one) => one.startsWith(written))
    })
    expect(shown).toEqual(Object.keys(metricTable))
  })

  it('say nothing of a session, a text or a terminal', () => {
    expect(page).not.toMatch(/session-1|req_1|conversation_id|onward_text|followup_id|terminal_id/)
  })
})

describe('metrics', () => {
  it('are all on the page once something happened', () => {
    const heads = new Set([...page.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
    const missing = Object.entries(metricTable).filter(([name, { kind }]) => {
      const written = name.replaceAll('.', '_')
      return !heads.has(kind.endsWith('counter') ? `${written}_total` : written)
    })
    expect(missing).toEqual([])
  })
})

describe('promtool', unless(promtoolMissing), () => {
  it('reads the rules, and each fires when it should', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS')
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
    const alerts = [...text('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    for (const name of alerts) expect(text('alerts.test.yml')).toContain(`alertname: ${name}`)
  })

  it('reads every expression of the board', () => {
    const rules = expressions.map((expr, i) => ({ record: `panel:${i}`, expr }))
    const file = join(temp(), 'board.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] }))
    expect(promtool('check', 'rules', file)).toContain(`${expressions.length} rules found`)
  })
})
