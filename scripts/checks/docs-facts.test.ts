/** README and docs/: defaults, variables, names, paths and links are those of the program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { providerTypes, routeCategories } from '../../shared/config/names.ts'
import { configSchema } from '../../shared/config/schema.ts'
import { noticeClasses } from '../../shared/notice-classes.ts'
import { noticeClass } from '../../shared/sentences/en/notices.ts'
import { clientKinds } from '../../shared/words.ts'
import {
  documentAt,
  documents,
  readme,
  root,
  sectionOf,
  spansOf,
  tableOf,
} from '../../electron/cli/testing/documents.ts'
import { switchedOff } from '../../electron/engine/clock/time-sync.ts'
import { beadsMode } from '../../electron/engine/servertools/stop-message/beads.ts'
import { allOn } from '../../electron/engine/servertools/registry.ts'
import { sessionRoot } from '../../electron/engine/store/root.ts'
import { agents } from '../../electron/engine/terminals/agents/index.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = ['electron', 'shared', 'renderer', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.(test|spec))\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]testing[\\/]/.test(relative(root, path)))
    .map((path) => readFileSync(path, 'utf8')),
)
const source = sources.join('\n')
const told = documents.map(({ text }) => text).join('\n')
const defaults = configSchema.parse({})
const configuration = documentAt('docs/configuration.md')
const firsts = (rows: string[][]): string[] => rows.flatMap(([cell = '']) => spansOf(cell))

// A tool has its name, and after it whether it is on by itself.
const toolForm = /\bname(?::| =) '([a-z_]+)'(?:(?!\bname(?::| =) ')[^])*?\bonByDefault: (true|false)\b/g
const tools = sources.flatMap((text) =>
  Array.from(text.matchAll(toolForm), ([, name, on]) => ({ name, on: on === 'true' ? 'on' : 'off' })),
)

describe('a class of notifications', () => {
  const engine = readdirSync(join(root, 'electron/engine'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !/^notifications|[\\/]testing[\\/]/.test(path))
    .map((path) => read(join('electron/engine', path)))
    .join('\n')
  it.each(noticeClasses)('%s is told by some part of the engine', (name) => {
    expect(engine).toContain(`class: '${name}',`)
  })
})

describe('the variables of the environment', () => {
  const ours = /\b(?:ONWARD|ROUTECODEX|RCC)_[A-Z_]+/g
  /** codes and keys that are written like one */
  const none = new Set(['ONWARD_TUNNEL', 'ONWARD_KEY', 'ONWARD_QWEN_KEY'])
  const ofTests = new Set([
    'ONWARD_SEED',
    'ONWARD_TESTS',
    'ONWARD_RUN_SEED',
    'ONWARD_AGENTS',
    'ONWARD_RETRIES',
    'ONWARD_TURNS',
  ])
  const inSource = new Set(Array.from(source.matchAll(ours), ([name]) => name).filter((name) => !none.has(name)))
  const inDocs = new Set(Array.from(told.matchAll(ours), ([name]) => name))

  it('that Onward reads are named', () => {
    expect([...inSource].filter((name) => !inDocs.has(name) && !ofTests.has(name))).toEqual([])
  })
  it('that are named are read', () => {
    expect([...inDocs].filter((name) => !inSource.has(name) && !ofTests.has(name) && !none.has(name))).toEqual([])
  })
  it('that RouteCodex has too stand in one table, each once, with values that do what it says', () => {
    const rows = tableOf(sectionOf(configuration, 'Variables of the environment'), 'shared variable')
    const values = new Map(
      rows.map(([name = '', listed = '']) => [spansOf(name)[0], spansOf(listed.split(';')[0] ?? '')]),
    )
    expect(rows.every(([, , does = '']) => does.length > 20)).toBe(true)
    expect([...values.keys()].toSorted()).toEqual(
      [...inSource].filter((name) => name.startsWith('ROUTECODEX_')).toSorted(),
    )
    expect(values.size).toBe(rows.length)
    const named = (name: string) => values.get(name) ?? []
    for (const mode of named('ROUTECODEX_STOPMESSAGE_BD_MODE')) expect(beadsMode(mode)).toBe(mode)
    expect([beadsMode(undefined), beadsMode('else')]).toEqual(['auto', 'auto'])
    expect(
      named('ROUTECODEX_SERVER_TOOLS').map((value) =>
        allOn({ config: () => defaults, env: { ROUTECODEX_SERVER_TOOLS: value } }),
      ),
    ).toEqual([
      { on: false, by: 'env' },
      { on: true, by: 'env' },
    ])
    expect(named('ROUTECODEX_CLOCK_NTP').every((value) => switchedOff({ ROUTECODEX_CLOCK_NTP: value }))).toBe(true)
    expect(switchedOff({})).toBe(false)
    expect(sessionRoot({}, '/h', '127.0.0.1', 5520)).toBe(join('/h', 'sessions', '127.0.0.1_5520'))
    expect(sessionRoot({ ROUTECODEX_SESSION_DIR: resolve('/else') }, '/h', 'x', 1)).toBe(resolve('/else'))
    expect(() => sessionRoot({ ROUTECODEX_SESSION_DIR: 'else' }, '/h', 'x', 1)).toThrow('absolute')
  })
  it('that `register` prints are those of its table', () => {
    const { env } = agents.other.launch({
      baseUrl: 'http://127.0.0.1:5520',
      key: 'the-key',
      args: [],
      folder: '/h',
      cwd: '/w',
      platform: 'linux',
      root: false,
      read: () => null,
    })
    const rows = tableOf(sectionOf(readme, 'Connect an agent'), 'variable')
    expect(firsts(rows).sort()).toEqual(Object.keys(env).sort())
    for (const [cell = '', value = ''] of rows)
      for (const name of spansOf(cell)) expect(env[name]).toBe(spansOf(value)[0] ?? 'the-key')
  })
})

describe('the defaults that are told', () => {
  const { stopMessage, servertools, clock, routing, longContextThreshold, server } = defaults
  const { budgets } = stopMessage
  it.each([
    `http://127.0.0.1:${server.port}`,
    `${budgets.rounds} rounds, ${budgets.hours} hours, ${budgets.noProgressRounds} rounds without progress`,
    `At most 5 redirects, ${servertools.webFetch.timeoutSeconds} s and ${servertools.webFetch.maxBytes / 2 ** 20} MiB`,
    `cut at ${servertools.webFetch.maxChars.toLocaleString('en').replace(',', ' ')} characters`,
    `${clock.retentionMs / 60_000} minutes (\`retentionMs\`)`,
    `"longContextThreshold": ${longContextThreshold}`,
    `"routing": { "failures": ${routing.failures}, "coolDownSeconds": ` +
      `${routing.coolDownSeconds}, "stickyMinutes": ${routing.stickyMinutes} }`,
    ...(clock.dueWindowMs === 60_000 && clock.holdMaxMs === 60_000
      ? ['from one minute before its time', 'ends within a minute of an alarm']
      : ['the windows of the clock are others now']),
  ])('in README and docs: %s', (words) => {
    expect(told.replace(/\s+/g, ' ')).toContain(words)
  })
})

describe('the names that are told', () => {
  it('of agents are those of the program', () => {
    const [agentsRow = []] = tableOf(sectionOf(readme, 'Command line'), 'command').filter(([cell]) =>
      cell?.includes('`claude`'),
    )
    const known = clientKinds.filter((kind) => kind !== 'other')
    expect(spansOf(agentsRow[0] ?? '')).toEqual([...known, 'run'])
    expect(readme.text).toContain(`onward claude                    # also: ${known.slice(1).join(', ')};`)
  })
  it('of routes are those of the config', () => {
    expect(firsts(tableOf(sectionOf(configuration, 'Routes'), 'route')).sort()).toEqual([...routeCategories].sort())
  })
  it('of provider types are those of the config', () => {
    const [line = ''] = /^Provider types: [^.]*\./m.exec(configuration.text) ?? []
    expect(spansOf(line)).toEqual([...providerTypes])
  })
  it('of notifications are those of the program, in its words', () => {
    expect(tableOf(sectionOf(documentAt('docs/notifications.md'), 'Classes'), 'class')).toEqual(
      noticeClasses.map((name) => [`\`${name}\``, noticeClass(name)]),
    )
  })
  it('of tools are those of the program, on and off as they are by themselves', () => {
    const rows = tableOf(sectionOf(documentAt('docs/servertools.md'), 'The tools'), 'tool')
    expect(tools.length).toBeGreaterThan(5)
    expect(rows.map(([name = '', by]) => `${spansOf(name)[0]} ${by}`).sort()).toEqual(
      tools.map(({ name, on }) => `${name} ${on}`).sort(),
    )
  })
  it.each(['en', 'zh-CN'])('of tools have words in the settings, in %s', (language) => {
    const words = read(`renderer/i18n/${language}/settings.ts`)
    expect(tools.filter(({ name }) => !words.includes(`    ${name}: '`)).map(({ name }) => name)).toEqual([])
  })
  it('of settings are ones the config takes', () => {
    const schema: unknown = JSON.parse(read('shared/config/schema.json'))
    const settings = documents.flatMap(({ path, text }) =>
      spansOf(text)
        .map((span) => span.replace(/:.*/, ''))
        .filter((span) => /^[a-z][A-Za-z]*(\.[A-Za-z<>_]+)+$/.test(span) && (span.split('.')[0] ?? '') in defaults)
        .filter((span) => !inSchema(schema, span.split('.')))
        .map((span) => `${path}: ${span}`),
    )
    expect(settings).toEqual([])
  })
  it('in code’s own writing stand in the source', () => {
    /** the tool of the example, which there is not */
    const others = new Set(['time_since_last_turn'])
    const screens = readdirSync(join(root, 'electron/engine/terminals/agents/fixtures'))
    const isScreen = (span: string) => screens.some((name) => name.endsWith(`-${span}.screen`))
    const missing = documents.flatMap(({ path, text }) =>
      spansOf(text)
        .filter((span) => /^[a-z]+(?:[-_][a-z]+)+$/.test(span) && !others.has(span))
        .filter((span) => !source.includes(span) && !isScreen(span))
        .map((span) => `${path}: ${span}`),
    )
    expect(missing).toEqual([])
  })
})

/** True if the schema has a place at this path; `<id>` is any name. */
function inSchema(schema: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path
  if (first === undefined) return true
  if (typeof schema !== 'object' || schema === null) return false
  const at = (name: string): unknown => Object.entries(schema).find(([key]) => key === name)?.[1]
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const found = at(name)
    return Array.isArray(found) ? found : []
  })
  if (choices.some((choice) => inSchema(choice, path))) return true
  const properties = at('properties')
  const own =
    typeof properties === 'object' && properties !== null
      ? Object.entries(properties).find(([key]) => key === first)?.[1]
      : undefined
  return own === undefined
    ? typeof at('additionalProperties') === 'object' && inSchema(at('additionalProperties'), rest)
    : inSchema(own, rest)
}

describe('the lines', () => {
  it('are no longer than a screen, tables aside', () => {
    const long = documents.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (line.length > 160 && !line.startsWith('|') ? [`${path}:${at + 1}`] : [])),
    )
    expect(long).toEqual([])
  })
})

describe('the paths, links and scripts that are told', () => {
  it('exist', () => {
    const folders = [root, join(root, 'electron/engine')]
    const lost = documents.flatMap(({ path, text }) =>
      spansOf(text)
        .filter((span) =>
          /^(?:shared|electron|renderer|e2e|docs|scripts|bin|\.ci|servertools|assembly|protocol)\/[\w./-]*$/.test(span),
        )
        .filter((span) => !span.includes('.artifacts'))
        .filter((span) => !folders.some((folder) => existsSync(resolve(folder, span))))
        .map((span) => `${path}: ${span}`),
    )
    expect(lost).toEqual([])
  })
  it('lead somewhere', () => {
    const anchors = (text: string) =>
      Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s-]/gu, '')
          .replaceAll(' ', '-'),
      )
    const lost = documents.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)
        .filter((link) => !/^https?:/.test(link))
        .filter((link) => {
          const [file = '', anchor] = link.split('#')
          const target = file === '' ? path : join(dirname(path), file)
          if (!existsSync(join(root, target))) return true
          return anchor !== undefined && !anchors(read(target)).includes(anchor)
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(lost).toEqual([])
  })
  it('exist where a comment or a message cites a page', () => {
    const cited = new Set(Array.from(source.matchAll(/(?<![\w/.])docs\/[\w/-]+\.md/g), ([path]) => path))
    expect([...cited]).toContain('docs/clients.md')
    expect([...cited].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
  it('lead from the README to what the npm package carries', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    const linked = [...readme.text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)"#\s]+)/g)].map(([, to = '']) => to)
    expect(linked.length).toBeGreaterThan(10)
    expect(linked.filter((to) => !files.some((one) => to === one || to.startsWith(`${one}/`)))).toEqual([])
  })
  it('are scripts of the package, and its Node', () => {
    const { scripts, engines } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>
      engines: { node: string }
    }
    const run = Array.from(
      told.matchAll(/\bnpm (?:run ([\w:]+)|(test|start)\b)/g),
      ([, name, own]) => name ?? own ?? '',
    )
    expect(run.filter((name) => !(name in scripts))).toEqual([])
    expect(readme.text).toContain(`Node ${engines.node.replace(/^>=|\.0$/g, '')} or newer`)
  })
})
